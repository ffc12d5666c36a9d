// SPDX-License-Identifier: MIT
// Asks the patched MPICH which algorithm it would choose on a made-up communicator.
#pragma once

#include <mpi.h>
#include <mpix_coll.h>

#include <stdexcept>
#include <string>

// The names as in the tables of the tests, without "MPIR_"
inline std::string short_name(const char* algorithm) {
    const std::string name = algorithm ? algorithm : "none";
    return name.starts_with("MPIR_") ? name.substr(5) : name;
}

class Question {
  public:
    explicit Question(const MPIX_Coll_layout_t& layout) {
        if (MPIX_Coll_query_create(MPI_COMM_SELF, &layout, &query_) != MPI_SUCCESS) {
            throw std::runtime_error("MPIX_Coll_query_create failed");
        }
    }
    explicit Question(MPI_Comm comm) {
        if (MPIX_Coll_query_create(comm, nullptr, &query_) != MPI_SUCCESS) {
            throw std::runtime_error("MPIX_Coll_query_create failed");
        }
    }
    ~Question() { MPIX_Coll_query_free(&query_); }
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

    MPIX_Coll_choice_t ask(const MPIX_Coll_call_t& call, MPIX_Coll_choice_t* device = nullptr) const {
        MPIX_Coll_choice_t choice = {};
        if (MPIX_Coll_query_call(query_, &call, device, &choice) != MPI_SUCCESS) {
            throw std::runtime_error("MPIX_Coll_query_call failed");
        }
        return choice;
    }
    // bytes, added up by a built-in operation
    std::string algorithm(const std::string& collective, MPI_Aint bytes, int flags = 0) const {
        return short_name(ask(call_of(collective, bytes, flags)).algorithm);
    }
    static MPIX_Coll_call_t call_of(const std::string& collective, MPI_Aint bytes, int flags = 0) {
        return {MPIX_Coll_query_collective(collective.c_str()), bytes, MPI_BYTE, MPI_BOR, flags};
    }

  private:
    MPIX_Coll_query_t* query_ = nullptr;
};

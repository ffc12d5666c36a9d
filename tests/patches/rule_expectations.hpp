// SPDX-License-Identifier: MIT
// Which rule of tuning_rules.json each call gets on 8 ranks of 4 nodes (a:2,b:2,c:2,d:2): on the world, on
// the nodes, the odd ranks, the halves and three ranks of two nodes.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

inline int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

inline std::string network() {
    const char* name = std::getenv("MPIR_CVAR_COLL_TUNING_NETWORK");
    return name ? name : "";
}

// A part of the world, by the name of the place
class Part {
  public:
    explicit Part(const std::string& place) {
        const int rank = world_rank();
        const std::map<std::string, int> colors = {{"world", 0},
                                                   {"node", rank / 2},
                                                   {"odd", rank % 2},
                                                   {"half", rank / 4},
                                                   {"three", rank < 3 ? 0 : MPI_UNDEFINED}};
        MPI_Comm_split(MPI_COMM_WORLD, colors.at(place), rank, &comm_);
    }
    ~Part() {
        if (comm_ != MPI_COMM_NULL) {
            MPI_Comm_free(&comm_);
        }
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    MPI_Comm comm() const { return comm_; }
    bool is_mine() const { return comm_ != MPI_COMM_NULL; }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

inline void first_argument(void* in, void* inout, int* count, MPI_Datatype*) {
    std::copy_n(static_cast<char*>(in), *count, static_cast<char*>(inout));
}

// Built-in, or of the user
inline MPI_Op operation(const std::string& name) {
    static std::map<std::string, MPI_Op> operations;
    if (operations.empty()) {
        operations[""] = MPI_BOR;
        MPI_Op_create(first_argument, 1, &operations["commutative"]);
        MPI_Op_create(first_argument, 0, &operations["non-commutative"]);
    }
    return operations.at(name);
}

struct Expectation {
    const char* network;  // empty: on both
    const char* place;
    const char* collective;
    int bytes;
    int rule;  // of section mpir; -1: the built-in selection
    const char* operation = "";
};

inline const Expectation expectations[] = {
    // by nodes, processes on each, and size
    {"gigabit", "world", "bcast", 1, 0},
    {"gigabit", "world", "bcast", 1023, 0},
    {"gigabit", "world", "bcast", 1024, 1},
    {"gigabit", "world", "bcast", 3000000, 1},
    {"gigabit", "node", "bcast", 1, 2},
    {"gigabit", "node", "bcast", 100000, 2},
    {"gigabit", "odd", "bcast", 99, -1},
    {"gigabit", "odd", "bcast", 100, 3},
    {"gigabit", "odd", "bcast", 200, 3},
    {"gigabit", "odd", "bcast", 201, -1},
    {"gigabit", "half", "bcast", 63, -1},
    {"gigabit", "half", "bcast", 64, 4},
    {"gigabit", "half", "bcast", 65, -1},
    {"gigabit", "three", "bcast", 64, -1},  // one node has one process
    // by network
    {"fast", "world", "bcast", 1, 5},
    {"fast", "world", "bcast", 3000000, 5},
    {"fast", "node", "bcast", 100, 2},  // within a node there is no network
    {"fast", "three", "bcast", 100, 5},
    {"gigabit", "half", "allgather", 2047, 9},
    {"gigabit", "half", "allgather", 2048, -1},
    {"gigabit", "half", "allgather", 4096, 10},
    {"gigabit", "world", "allgather", 1023, 9},
    {"gigabit", "world", "allgather", 1024, -1},
    {"fast", "half", "allgather", 5000, 11},
    {"fast", "odd", "allgather", 5000, -1},
    {"fast", "three", "allgather", 5000, -1},
    // by operation; the third rule is not legal for operations of the user
    {"", "world", "allreduce", 4095, 6},
    {"", "world", "allreduce", 4096, 8},
    {"", "world", "allreduce", 100, 7, "non-commutative"},
    {"", "world", "allreduce", 100, -1, "commutative"},
    {"", "odd", "allreduce", 3, 6},
    {"", "half", "alltoall", 100, 12},
    {"", "half", "alltoall", 101, -1},
    {"", "node", "alltoall", 100, -1},
    {"", "world", "barrier", 0, 13},
    {"", "half", "barrier", 0, -1},
    {"", "half", "reduce_scatter", 15, 14},
    {"", "half", "reduce_scatter", 16, -1},
    {"", "odd", "reduce_scatter", 15, -1},
    {"", "half", "gather", 31, -1},
    {"", "half", "gather", 32, 15},
    {"", "three", "gather", 64, 15},
    {"", "odd", "gather", 64, -1},
    {"", "world", "scan", 10, 16},
    {"", "odd", "scan", 10, 17},  // one process on each node is both mappings
    {"", "half", "scan", 10, -1},
    {"", "world", "ibcast", 10000, 18},
    {"", "node", "ibcast", 9999, -1},
};

inline void call(const Expectation& e, MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    const auto all = static_cast<std::size_t>(size) * static_cast<std::size_t>(e.bytes) + 1;
    std::vector<char> send(all, 1);
    std::vector<char> receive(all);
    const std::vector<int> counts(static_cast<std::size_t>(size), e.bytes);
    MPI_Request request = MPI_REQUEST_NULL;
    const MPI_Op op = operation(e.operation);
    const std::map<std::string, std::function<void()>> calls = {
        {"bcast", [&] { MPI_Bcast(send.data(), e.bytes, MPI_BYTE, 0, comm); }},
        {"ibcast",
         [&] {
             MPI_Ibcast(send.data(), e.bytes, MPI_BYTE, 0, comm, &request);
             MPI_Wait(&request, MPI_STATUS_IGNORE);
         }},
        {"allgather",
         [&] { MPI_Allgather(send.data(), e.bytes, MPI_BYTE, receive.data(), e.bytes, MPI_BYTE, comm); }},
        {"alltoall",
         [&] { MPI_Alltoall(send.data(), e.bytes, MPI_BYTE, receive.data(), e.bytes, MPI_BYTE, comm); }},
        {"gather",
         [&] { MPI_Gather(send.data(), e.bytes, MPI_BYTE, receive.data(), e.bytes, MPI_BYTE, 0, comm); }},
        {"barrier", [&] { MPI_Barrier(comm); }},
        {"allreduce", [&] { MPI_Allreduce(send.data(), receive.data(), e.bytes, MPI_BYTE, op, comm); }},
        {"scan", [&] { MPI_Scan(send.data(), receive.data(), e.bytes, MPI_BYTE, op, comm); }},
        {"reduce_scatter",
         [&] { MPI_Reduce_scatter(send.data(), receive.data(), counts.data(), MPI_BYTE, op, comm); }},
    };
    calls.at(e.collective)();
}

inline std::string text_of(const Expectation& e) {
    return std::string(e.collective) + " of " + std::to_string(e.bytes) + " bytes on " + e.place + " " +
           e.operation;
}

template <class Action>
void for_each_expectation(Action action) {
    for (const Expectation& e : expectations) {
        if (e.network[0] != '\0' && network() != e.network) {
            continue;
        }
        const Part part(e.place);
        if (part.is_mine()) {
            SCOPED_TRACE(text_of(e));
            action(e, part.comm());
        }
    }
}

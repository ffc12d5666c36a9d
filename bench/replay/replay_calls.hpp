// SPDX-License-Identifier: MIT
// A recorded program on this rank: its communicators, buffers and arguments, all there before anything is
// timed.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "buffers.hpp"
#include "elements.hpp"
#include "pattern.hpp"
#include "replay_file.hpp"

namespace bench {

class ReplayCalls {
  public:
    // Collective over MPI_COMM_WORLD. Throws std::invalid_argument on all ranks if a rank needs more memory
    // than there is
    ReplayCalls(const ReplayProgram& program, const std::vector<ReplayStep>& steps);
    ~ReplayCalls();
    ReplayCalls(const ReplayCalls&) = delete;
    ReplayCalls& operator=(const ReplayCalls&) = delete;

    // What a step does. A nonblocking call has buffers and a request of its own until it is waited for.
    struct Action {
        double compute_seconds;
        std::size_t call;  // in the program
        std::size_t slot;
        enum class What { call, start, wait } what;
    };
    const std::vector<Action>& actions() const { return actions_; }
    std::size_t slots() const { return slots_.size(); }
    void run(const Action& action);

  private:
    struct Prepared {
        const Pattern* pattern = nullptr;
        const Elements* elements = nullptr;
        MPI_Comm comm = MPI_COMM_NULL;  // none: this rank is no member
        RankCall call = {};
        std::vector<int> counts;
        std::vector<int> displacements;
    };
    struct Slot {
        std::size_t send_bytes = 0;
        std::size_t receive_bytes = 0;
        Buffer send;
        Buffer receive;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    void make_communicators(const ReplayProgram& program);
    void prepare(const ReplayProgram& program);
    void plan(const ReplayProgram& program, const std::vector<ReplayStep>& steps);
    void use_slot(std::size_t slot, const Prepared& prepared);
    void make_buffers();
    Arguments arguments_of(const Prepared& prepared, const Slot& slot) const;

    std::vector<MPI_Comm> communicators_;
    std::vector<Prepared> calls_;
    std::vector<Slot> slots_;
    std::vector<Action> actions_;
};

}  // namespace bench

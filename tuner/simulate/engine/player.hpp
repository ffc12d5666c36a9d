// SPDX-License-Identifier: MIT
// Plays schedules on a SimGrid platform: every message of every rank, with contention for the links that they
// share. Each rank goes through its own rounds: it starts a round when its part of the one before is done,
// whatever others do. SimGrid moves the bytes; what processors do takes its time before and after.
#pragma once

#include <simgrid/s4u.hpp>
#include <vector>

#include "schedule.hpp"
#include "simulated_machine.hpp"

namespace tuner {

// How ranks go from round to round
enum class Pace {
    free,      // when their own part is done
    together,  // when all are done, as the closed form counts
};

// Phases of a schedule whose time is wanted; others are before and after, as barriers are
struct Timed {
    std::size_t first = 0;
    std::size_t end = static_cast<std::size_t>(-1);
};

struct Played {
    double seconds = 0;                   // from the first start to the finish of the last rank
    std::vector<double> finish_of_ranks;  // since the first start
    std::size_t messages = 0;             // between ranks
};

// Where the ranks of a job are
struct SimulatedJob {
    std::vector<simgrid::s4u::Host*> hosts;  // of the layout's nodes
    models::RankPlacement layout;
    SimulatedMachine machine;
    std::vector<double> pauses = {};  // of each rank, before rounds in which it sends; empty: none
};

Played play(const SimulatedJob& job, const models::Schedule& schedule, Pace pace = Pace::free,
            Timed timed = {});

}  // namespace tuner

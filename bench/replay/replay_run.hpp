// SPDX-License-Identifier: MIT
// Repeats a recorded program once, with the time that each rank computed between its calls.
#pragma once

#include <string>
#include <vector>

#include "clock.hpp"
#include "replay_calls.hpp"
#include "replay_report.hpp"

namespace bench {

// What a rank does in the time that it computed
enum class ReplayCompute {
    busy,   // keeps its processor busy
    sleep,  // leaves its processor to others
    none    // nothing: calls come one after the other
};

ReplayCompute replay_compute_named(const std::string& name);  // throws std::invalid_argument

// Collective over MPI_COMM_WORLD; the result is on rank 0
ReplayRepetition replay_once(ReplayCalls& calls, std::size_t calls_of_program, ReplayCompute compute,
                             const Clock& clock);

}  // namespace bench

// SPDX-License-Identifier: MIT
// A schedule in GOAL, the language of operations and dependencies that LogGOPSim and ATLAHS read: each rank's
// sends, receives and computations, and what each has to wait for.
#pragma once

#include <string>

#include "schedule.hpp"

namespace tuner {

// What copies and combinations take, in seconds for each byte
struct GoalCosts {
    double copy = 0;
    double combine = 0;
};

std::string to_goal(const models::Schedule& schedule, int ranks, const GoalCosts& costs);

}  // namespace tuner

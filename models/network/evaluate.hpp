// SPDX-License-Identifier: MIT
// The full evaluation of a schedule: every message in its order, each rank with its own clock, messages that
// wait for the interfaces that they share. Slower than the closed form of cost.hpp, which it checks, and more
// exact where the ranks of one round do not wait for each other.
#pragma once

#include "cost.hpp"

namespace models {

// Seconds from the common start to the last rank's finish
double evaluate(const Schedule& schedule, const RankPlacement& layout, const Parameters& parameters);

}  // namespace models

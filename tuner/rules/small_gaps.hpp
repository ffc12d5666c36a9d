// SPDX-License-Identifier: MIT
// Edges of rules that make sense. A few bytes between the end of a rule and the size at which the library
// itself turns to the same algorithm, or between two rules of the same algorithm, come from where sizes were
// measured, and not from the network. They cost thresholds: a library that selects by size cannot use ring,
// then Bruck's algorithm for 73 bytes, and then ring again.
#pragma once

#include <vector>

#include "config.hpp"

namespace tuner {

// First size after a gap / last size before it. A changeover point is known about as well as this.
inline constexpr double small_gap_factor = 1.25;

// The rules of one cell, by size, with such gaps closed: those that are small, or that have no measured size
// inside while the algorithm is good at the measured sizes next to it. No gap is closed in which another
// algorithm is significantly faster by what was measured, or which another rule is for. Two rules become one
// if both are measured. Verification, which comes later, tests the new ends, and what it cuts off stays off.
std::vector<Rule> close_small_gaps(std::vector<Rule> rules, const CellKey& key, const Cell& cell,
                                   double loss_bound);

}  // namespace tuner

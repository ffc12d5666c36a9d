// SPDX-License-Identifier: MIT
// At which sizes a rule is verified: where it could be wrong.
#pragma once

#include "config.hpp"

namespace tuner {

constexpr std::size_t size_granule =
    8;  // verified sizes are multiples of it, so that every datatype divides them

// The first and the last size of the rule, a size next to each of them, both sides of every size at which the
// library's default switches to another algorithm, and sizes between that were not measured: `count` in all,
// more if there are switches, fewer of a narrow rule. Not those at which the default uses the rule's
// algorithm itself: they can neither win nor lose. In ascending order.
std::vector<std::size_t> sizes_to_verify(const Rule& rule, const Cell& cell, std::size_t count);

}  // namespace tuner

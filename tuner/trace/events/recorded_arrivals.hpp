// SPDX-License-Identifier: MIT
// How the ranks of a program arrive at its calls, as a file that the benchmark repeats (`changeover-bench
// --arrival-from`; bench/README.md has the format).
#pragma once

#include <string>

#include "match.hpp"

namespace tuner::trace {

inline constexpr double largest_recorded_width = 10;

// Calls of a collective with as many ranks and sizes of one power of two are one class. A rank that waits for
// longer than `largest_recorded_width` times the class's median time after the last arrival waits as long as
// that: more makes no difference but that it takes time to repeat. Throws an Error if no call is complete.
std::string recorded_arrivals(const Matched& matched);

}  // namespace tuner::trace

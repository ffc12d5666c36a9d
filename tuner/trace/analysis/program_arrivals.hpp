// SPDX-License-Identifier: MIT
// How the ranks of a recorded program arrive at its collectives, as a pattern that the benchmark can repeat.
#pragma once

#include <optional>

#include "analysis.hpp"
#include "arrival.hpp"

namespace tuner::trace {

// Of most of the time in collectives: one rank late, if it is mostly the same one, else at random; the width
// is the median distance from the first arrival to the last, in times of the call from there on. Nothing:
// together, as near as makes no difference.
std::optional<models::Arrival> arrival_of(const Analysis& analysis);

}  // namespace tuner::trace

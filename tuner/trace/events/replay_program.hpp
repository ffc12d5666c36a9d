// SPDX-License-Identifier: MIT
// A recorded program as changeover-replay repeats it: the collective calls of each rank, and the time that
// the rank computed between them. The format is in docs/replay.md; bench/replay/replay_file.hpp reads it.
#pragma once

#include <string>

#include "match.hpp"

namespace tuner::trace {

// JSON lines: the program, then one line for each rank. What the events do not hold is approximated, and
// calls that cannot be repeated are omitted: the first line says both. Throws an Error if a rank's file is
// missing, if no call can be repeated, or if a rank made calls in several threads at the same time.
std::string replay_program(const Matched& matched);

}  // namespace tuner::trace

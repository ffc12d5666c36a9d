// SPDX-License-Identifier: MIT
// The stage of each message of a call: how many messages, one after the other, had to come before it and
// itself. For rounds that all ranks take together (a ring, recursive doubling) it is the round; in a tree it
// is the level. The rounds in a trace are those of single ranks: the first message that a leaf of a tree
// receives may be the last one that its parent sends.
#pragma once

#include "match.hpp"

namespace tuner::trace {

// A send comes after everything that its rank had completed when it was posted. A receive comes with its
// send, and after the receives that its rank had completed when it was posted.
void assign_stages(Matched& matched);

}  // namespace tuner::trace

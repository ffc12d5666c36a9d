// SPDX-License-Identifier: MIT
// How exactly the processes of a job know each other's time, against what they measured.
#pragma once

#include <string>

#include "cells.hpp"
#include "run_data.hpp"

namespace tuner::commands {

// A note if the clocks were too coarse to compare algorithms: they agree less well than within half of a
// call, in most cells. Empty: they were good enough, or no job has told
std::string coarse_clocks_note(const RunData& data, const Cells& cells);

}  // namespace tuner::commands

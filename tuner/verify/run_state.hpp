// SPDX-License-Identifier: MIT
// How far a run directory is, by its files: the only place that judges it. `complete` means that config.json
// is verified and tuning.json, which jobs read, has its rules.
#pragma once

#include <string>

#include "config.hpp"

namespace tuner {

enum class RunState {
    undecided,   // there are no rules yet
    unverified,  // the rules are not verified, or were changed afterwards
    stale,       // verified, but a tuning of stale cells was interrupted
    unwritten,   // verified, but tuning.json is missing or has other rules
    complete
};

RunState run_state(const RunFiles& files, const RunData& data);

// What the user should know and do; empty for a complete run
std::string state_note(RunState state, const RunFiles& files);

}  // namespace tuner

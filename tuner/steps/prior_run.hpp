// SPDX-License-Identifier: MIT
// What a run keeps a copy of: an earlier run that it takes hints from (tune --prior), and the arrivals of a
// recorded program that it is for (tune --profile).
#pragma once

#include "prior.hpp"
#include "saved_run.hpp"

namespace tuner::commands {

// Copies its manifest and samples into the run directory, since it may change, or be removed, before the new
// one is complete. Does nothing if they are there.
void keep_prior(const SavedRun& prior, const RunFiles& run);

// Writes how the ranks of a trace arrive into the run directory, for its jobs: the trace may be elsewhere
// when it is resumed. Does nothing if that is there. Throws an Error if it is not, and the prefix of the
// trace is empty.
void keep_arrivals(const std::string& prefix, const RunFiles& run);

// What was kept of the earlier run, and what was measured in the run itself before a network changed
Prior prior_of(const OpenRun& run);

}  // namespace tuner::commands

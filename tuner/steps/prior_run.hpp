// SPDX-License-Identifier: MIT
// An earlier run that a new one takes hints from (tune --prior).
#pragma once

#include "prior.hpp"
#include "saved_run.hpp"

namespace tuner::commands {

// Copies its manifest and samples into the run directory, since it may change, or be removed, before the new
// one is complete. Does nothing if they are there.
void keep_prior(const SavedRun& prior, const RunFiles& run);

// What was kept, and what was measured in the run itself before a network changed
Prior prior_of(const OpenRun& run);

}  // namespace tuner::commands

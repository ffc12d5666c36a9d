// SPDX-License-Identifier: MIT
// Rules whose proofs fit into the time that is left: a call of a large message may take as long as all others
// together.
#pragma once

#include <string>
#include <vector>

#include "cells.hpp"
#include "config.hpp"
#include "plan.hpp"

namespace tuner::commands {

// Cuts rules of single layouts at their largest measured sizes, those with the longest calls first, until the
// verification is expected to take at most so long. Sizes whose calls are short stay in any case. Adds what
// was cut to the notes.
std::vector<Rule> fitting_rules(const Config& config, const RunData& run, const Plan& plan,
                                double launch_seconds, double seconds, std::vector<std::string>& notes);

}  // namespace tuner::commands

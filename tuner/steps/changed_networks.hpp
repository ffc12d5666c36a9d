// SPDX-License-Identifier: MIT
// Is each network still the one that was measured? Messages of two ranks are measured again, apart from those
// that the run has, and their parameters are compared.
#pragma once

#include <set>
#include <vector>

#include "config.hpp"
#include "network_changes.hpp"
#include "saved_run.hpp"

namespace tuner::commands {

// Those of these networks that moved in each of two new jobs; the second job measures only the links that
// moved in the first one. Takes about 2 s for each link of a network. Nothing of a network whose messages
// were not measured.
std::vector<MovedParameter> find_moved(OpenRun& run, const std::set<std::string>& networks);

// All cells of these networks: of the plan and the cluster, and those that rules are for
std::set<CellKey> cells_of_networks(const OpenRun& run, const Config& config,
                                    const std::set<std::string>& networks);

// Writes to the journal that these cells are stale, and which networks moved. As one: if it is interrupted,
// nothing is marked.
void mark_all(OpenRun& run, const std::set<CellKey>& stale, const std::vector<MovedParameter>& moved);

}  // namespace tuner::commands

// SPDX-License-Identifier: MIT
// Jobs as those of users: the library reads the emitted rules, and nothing is forced.
#pragma once

#include "config.hpp"
#include "runner.hpp"

namespace tuner {

// The network of a run with the file of rules that its library reads, which is written into the run directory
Network with_rules(const OpenRun& open, const Config& config, const std::string& network,
                   const Layout& layout);

// What the library chooses by itself
Group group_of_job(const CellKey& cell, std::size_t bytes, const Plan& plan, const Cells& cells, Stage stage,
                   int repetitions);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// Jobs as those of users: the library reads the emitted rules, and nothing is forced.
#pragma once

#include "config.hpp"
#include "runner.hpp"

namespace tuner {

// The network of a run with the file of rules that its library reads, which is written into the run directory
Network with_rules(const OpenRun& open, const Config& config, const std::string& network,
                   const Layout& layout);
// In place of the one of that name
void set_network(Cluster& cluster, Network network);

// What the library chooses by itself
Group group_of_job(const CellKey& cell, std::size_t bytes, const Plan& plan, const Cells& cells, Stage stage,
                   int repetitions);

// What jobs with all collectives measure. The measured layouts with most ranks, and with most nodes of one
// rank: between nodes, and inside of them
std::vector<Layout> outer_layouts(const Cells& cells, const std::string& network);
// At most so many sizes, evenly from the smallest to the largest one of which a call does not take too long
std::vector<std::size_t> spread_sizes(const Cell& cell, std::size_t count);

}  // namespace tuner

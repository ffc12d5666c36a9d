// SPDX-License-Identifier: MIT
// The point-to-point parameters of the networks of a run: which exchanges to ask the benchmark for, and the
// fit of what was measured. What to ask next follows from the journal alone, so a killed run goes on where it
// was.
#pragma once

#include <optional>
#include <set>

#include "network_parameters.hpp"
#include "runner.hpp"

namespace tuner {

// Where a link can be measured: the layout with the fewest ranks that has both links, or else this one.
// Nothing if the cluster has no layout with this link.
std::optional<Layout> layout_for(const Cluster& cluster, Link link);

// Of which cases of a run: those of a check are apart from what its rules come from
struct LinkCases {
    Stage stage = Stage::network;
    std::uint64_t after_group = 0;  // only later ones
    std::set<Link> links = {Link::within_node, Link::between_nodes};
};

// Nothing when all is known
std::optional<Group> next_exchange(const RunData& run, const std::string& network, Link link,
                                   const LinkCases& cases = {});

// Of what was measured, for each network and link. Without those that have too little for a fit.
NetworkParameters fit_network_parameters(const RunData& run, const Cluster& cluster,
                                         const LinkCases& cases = {});

}  // namespace tuner

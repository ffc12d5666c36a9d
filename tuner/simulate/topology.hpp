// SPDX-License-Identifier: MIT
// Platforms from a few numbers, as SimGrid's platform files: nodes, how they are connected, bandwidth and
// latency of a link.
#pragma once

#include <string>

#include "simulated_machine.hpp"

namespace tuner {

struct Topology {
    int nodes = 2;
    // star; fat-tree, fat-tree:2to1 (a leaf switch has half as many links up as down); torus; dragonfly
    std::string kind = "star";
    double bytes_per_second = 12.5e9;  // of each link of a node, and of each link between switches
    double latency_seconds = 1e-6;     // between two nodes of a star; of each link elsewhere
    int interfaces = 1;                // of each node
};

double parse_bandwidth(const std::string& text);   // 100gbit, 12.5GB: bytes for each second
std::string host_range(const Topology& topology);  // of a cluster file: n[0-511]

// The text of a platform file. Throws an Error for nodes that do not fill the topology, and what would.
std::string platform_xml(const Topology& topology, const SimulatedMachine& machine);

}  // namespace tuner

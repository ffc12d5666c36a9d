// SPDX-License-Identifier: MIT
// Can the nodes of a cluster talk to each other on a network? Tried by short jobs of the benchmark.
#pragma once

#include <string>
#include <vector>

#include "cluster.hpp"

namespace tuner {

struct BrokenConnection {
    std::string network;
    std::vector<std::string> nodes;  // one: with all others that were tried; more: between these
    std::string reason;
};

// One job of all hosts of the cluster. If it fails, jobs of each host with the next one, to find which.
std::vector<BrokenConnection> broken_connections(const Cluster& cluster, const Network& network);

// What is broken, of a ring of hosts: each reason is of a host and the next one; empty if they can talk
std::vector<BrokenConnection> broken_in_ring(const std::string& network,
                                             const std::vector<std::string>& hosts,
                                             const std::vector<std::string>& reasons);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// Does a job use the network that it was started for? The benchmark's header says which interfaces and
// addresses its connections between nodes have; what a cluster file demands must be found there.
#pragma once

#include <string>

#include "cluster.hpp"

namespace tuner {

// Why this is not the network, or cannot be told to be it, with a remedy. Empty: it is, or nothing is
// demanded.
std::string network_problem(const Json& header, const Cluster& cluster, const Network& network);

// The interfaces that are used between nodes, with commas; empty: not known
std::string interfaces_text(const Json& header);

// For people: interfaces and addresses of all nodes, and how they are known
std::string network_text(const Json& header);

}  // namespace tuner

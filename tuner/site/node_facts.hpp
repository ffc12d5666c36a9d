// SPDX-License-Identifier: MIT
// What a node has: for the cluster file that `init` writes, for what `init` says about nodes that differ, and
// for `doctor`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cluster.hpp"
#include "node_health.hpp"

namespace tuner {

struct NodeInterface {
    std::string name;
    std::string address;
    std::string subnet;  // 10.1.0.0/16
    int megabits = 0;    // each second; 0: the driver does not say
};

struct NodeFacts {
    std::string host;  // as it calls itself
    int cores = 0;
    long memory_megabytes = 0;
    std::string processor;
    std::string kernel;
    std::string changeover;                   // version
    std::vector<NodeInterface> interfaces;    // that are up, without the loopback
    std::vector<std::string> libraries = {};  // of MPI
    std::optional<NodeHealth> health = {};    // nothing: it was not asked for
};

NodeFacts facts_of_this_node();
std::string to_line(const NodeFacts& facts);         // JSON, for the program that asked
NodeFacts facts_from_line(const std::string& line);  // throws std::exception

struct AskedNodes {
    std::map<std::string, NodeFacts> facts;       // by the host's name
    std::map<std::string, std::string> problems;  // of those that did not answer: why
    // Seconds by which the clock of a node is ahead of the one here, at least; negative: behind
    std::map<std::string, double> clock_offsets = {};
};

// All hosts of the cluster at once, through its launcher
AskedNodes ask_nodes(const Cluster& cluster, double seconds,
                     const std::optional<HealthQuestions>& questions = {});

}  // namespace tuner

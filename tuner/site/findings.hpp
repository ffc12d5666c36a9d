// SPDX-License-Identifier: MIT
// What `doctor` concludes: from what the nodes said about themselves, and which of them cannot talk to each
// other, to findings with their remedies. Nothing is asked or measured here.
#pragma once

#include <string>
#include <vector>

#include "connections.hpp"
#include "node_facts.hpp"

namespace tuner {

struct NodeFinding {
    std::vector<std::string> nodes;
    std::string what;
    std::string why;  // it matters
    std::string remedy;
    std::string command = {};  // that is part of it
};

struct CheckResult {
    std::string name;
    std::string fine;  // if there are no findings
    std::vector<NodeFinding> findings;
    bool stops_jobs = false;  // with ranks on the nodes that are named
};

struct Examination {
    const Cluster& cluster;
    AskedNodes asked;            // with their health
    std::string folder;          // of the run directory
    std::string folder_problem;  // why this command cannot write it; empty: it can
};

// One for each check. If no node has answered, only that.
std::vector<CheckResult> check_nodes(const Examination& examination);

// Hosts on which jobs can start, by what was found
std::vector<Host> hosts_for_jobs(const Cluster& cluster, const std::vector<CheckResult>& results);

CheckResult check_connections(const Cluster& cluster, const std::vector<BrokenConnection>& broken);

// For people: one line if it is fine, else each finding with its remedy
std::string to_text(const CheckResult& result);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// A cluster file for people to read and edit, from what the nodes of a cluster said about themselves.
#pragma once

#include <string>
#include <vector>

#include "node_facts.hpp"

namespace tuner {

struct ProposedNetwork {
    std::string interface;
    std::string subnet;
    int megabits = 0;  // 0: not known
};

// Interfaces that all nodes have, in one subnet, each with its own address; the fastest first. Those of
// containers and virtual machines are left out.
std::vector<ProposedNetwork> networks_of(const AskedNodes& asked);

// In what nodes differ from most of the others, in words
std::vector<std::string> differences(const AskedNodes& asked);

struct ProposedCluster {
    std::string origin;  // in words: what the hosts were taken from
    std::string name;
    std::vector<std::string> hosts;  // as they were written: n[1-4]; empty: those of Slurm's allocation
    Json launcher;
    AskedNodes asked;
    Json mpi = Json::object();  // empty: what the launcher starts
};

std::string cluster_file_text(const ProposedCluster& proposed);  // JSON with comments

}  // namespace tuner

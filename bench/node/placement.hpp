// SPDX-License-Identifier: MIT
// Which rank is on which node, by host name: MPI_Comm_split_type is not enough (ch3:sock answers 'alone').
// A launcher may simulate nodes on one machine; its processes tell them apart. Nodes with names of their own
// may be one machine, too (containers, network namespaces): they share its cores.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace bench {

struct Placement {
    std::vector<std::string> node_of_rank;
    std::vector<std::string> nodes;  // in order of their first rank; host, host#2 ... if simulated
    std::vector<int> ranks_on_node;
    int machines;  // running systems: one, if nodes are containers or simulated
    int most_ranks_on_a_machine;
    int cores;  // that this rank may use
    std::string cpu;
};

// The identity of the running system, the same for all of its processes and no other; empty: not known
std::string running_system();

Placement find_placement(MPI_Comm comm);

}  // namespace bench

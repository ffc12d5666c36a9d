// SPDX-License-Identifier: MIT
// Which ranks exchange messages with each other: one pair, chosen by where the ranks are, or many at once.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "clock.hpp"
#include "placement.hpp"

namespace bench {

struct Pair {
    int root;
    int peer;
    bool operator==(const Pair&) const = default;
};

// Rank p with rank p + n/2, as MPIBench (Hamid 2008, section 4.5). Of an odd number, the last one is alone.
std::vector<Pair> halves(int ranks);

// Two ranks on each line; '#' starts a comment. Throws std::invalid_argument with the line that is wrong.
std::vector<Pair> parse_pairs(const std::string& text);
// Collective: rank 0 reads the file.
std::vector<Pair> read_pairs(const std::string& path, MPI_Comm comm);

// The first rank that is on the root's node (link "within") or that is not ("between"; the default where
// there are several nodes)
Pair pair_by_link(int root, const std::string& link, const Placement& placement);

// Collective: the pair with the longest round trip that is found from `first` on: the slowest peer of that
// rank, and the slowest peer of that peer. SKaMPI takes the slowest pair, too (Reussner 1998, section 2.1).
Pair find_slowest_pair(int first, std::size_t bytes, const Clock& clock, MPI_Comm comm);

// Why these ranks cannot exchange messages at once; empty if they can
std::string problem_with(const std::vector<Pair>& pairs, int ranks);

// Within or between nodes, or mixed
std::string link_of(const std::vector<Pair>& pairs, const Placement& placement);

}  // namespace bench

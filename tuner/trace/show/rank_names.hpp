// SPDX-License-Identifier: MIT
// Ranks for people: with the host that they ran on, as the event files name it.
#pragma once

#include <string>
#include <vector>

#include "trace.hpp"

namespace tuner::trace {

std::string ranks_text(const std::vector<int>& ranks);  // ascending: 0-3, 5

std::string rank_text(const Trace& trace, int world_rank);  // rank 2 (n3); rank 2 if its host is not known

// A rank of the communicators that calls of a kind were made on; with its host if it is the same on all of
// them
std::string rank_text(const Matched& matched, const Kind& kind, int rank);

// Of such ranks: n1, n2; 7 hosts; empty: they differ between communicators, or are not known
std::string hosts_text(const Matched& matched, const Kind& kind, const std::vector<int>& ranks);

// n1: 0-1; n2: 2-3 (world ranks)
std::string ranks_by_host(const Trace& trace, const std::vector<int>& world_ranks);

}  // namespace tuner::trace

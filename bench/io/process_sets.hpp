// SPDX-License-Identifier: MIT
// Sets of processes whose finishes are looked at together: each rank by itself, or those that share a node, a
// switch, a place in a tree.
#pragma once

#include <string>
#include <vector>

#include "measure.hpp"

namespace bench {

struct ProcessSet {
    std::string name;  // as it was written: 0-3,8
    std::vector<int> ranks;
};

// `each`, or sets separated by slashes, each a list of ranks and ranges: 0-3,8/4-7. Empty: none. Throws
// std::invalid_argument with what would be right.
std::vector<ProcessSet> parse_process_sets(const std::string& text, int ranks);

// When the ranks of a set finished, in all repetitions, in seconds since the common start
std::vector<double> sorted_finishes(const CaseResult& result, const ProcessSet& set);

}  // namespace bench

// SPDX-License-Identifier: MIT
// Which jobs a cluster can run.
#pragma once

#include <vector>

#include "cluster.hpp"

namespace tuner {

// The largest jobs of a cluster
struct Extent {
    int nodes = 1;
    int ppn = 1;
    int ranks = 0;  // 0: on all nodes with as many as each may have

    bool holds(const Layout& layout) const;
};

// With as many ranks on a node as all of its hosts may have. Nodes that are faked share one machine: together
// they have no more ranks than one of them may have, or the largest of its layouts.
Extent extent_of(const Cluster& cluster);

std::vector<Layout> all_layouts(const Extent& extent);  // in blocks, of two or more ranks

// One node with all of its ranks, all nodes with one rank on each, and with as many as they may have
std::vector<Layout> corner_layouts(const Extent& extent);

// Starts with the corners. Throws an Error if there is no layout of two ranks.
void choose_layouts(Cluster& cluster);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// Trees over which Open MPI broadcasts and reduces, in segments: each rank passes a segment on while the next
// one arrives. They follow ompi/mca/coll/base/coll_base_topo.c of Open MPI 4.1.4.
#pragma once

#include "parts.hpp"

namespace models::schedules::openmpi {

// The parent of each rank. Ranks are relative to the root, which is 0; every parent is before its children.
using Parents = std::vector<int>;

Parents chains(int ranks, int fanout);  // the other ranks in `fanout` chains, the longer ones first
Parents binary_tree(int ranks);         // a level has the ranks 2^k - 1 to 2^(k+1) - 2
Parents binomial_tree(int ranks);       // the nearest children first
Parents knomial_tree(int ranks, int radix);
Parents star(int ranks);  // all ranks are children of the root

std::vector<int> depths(const Parents& tree);   // hops from the root
std::vector<int> heights(const Parents& tree);  // hops to the furthest leaf below

// A vector in segments of whole elements; `segment_bytes` 0: in one
struct Segments {
    std::size_t total;
    std::size_t bytes;

    Segments(std::size_t total_bytes, std::size_t segment_bytes, std::size_t element_bytes);
    int count() const { return bytes == 0 ? 1 : static_cast<int>((total + bytes - 1) / bytes); }
    Piece piece(int i) const {
        const std::size_t offset = static_cast<std::size_t>(i) * bytes;
        return {offset, std::min(bytes, total - offset)};
    }
};

// From the root: each segment goes to all children at once, one round after it arrived
Phase down(const Call& call, const Parents& tree, std::size_t segment_bytes);
// To the root: each segment goes to the parent one round after those of all children arrived. For commutative
// operations.
Phase up(const Call& call, const Parents& tree, std::size_t segment_bytes);

// Segments that the benchmark offers
inline constexpr std::size_t small_segment = 8 << 10;
inline constexpr std::size_t large_segment = 64 << 10;

}  // namespace models::schedules::openmpi

// SPDX-License-Identifier: MIT
#include "trees.hpp"

namespace models::schedules::openmpi {

namespace {

Parents parents(int ranks, const std::function<int(int)>& parent_of) {
    Parents result(static_cast<std::size_t>(ranks), 0);
    for (int rank = 1; rank < ranks; ++rank) {
        result[static_cast<std::size_t>(rank)] = parent_of(rank);
    }
    return result;
}

}  // namespace

Parents chains(int ranks, int fanout) {
    const int count = std::min(fanout, ranks - 1);
    const int length = (ranks - 1) / std::max(1, count);
    const int longer = (ranks - 1) % std::max(1, count);
    return parents(ranks, [=](int rank) {
        const int place = rank - 1;
        const bool in_longer = place < longer * (length + 1);
        const int in_chain =
            in_longer ? place % (length + 1) : (place - longer * (length + 1)) % std::max(1, length);
        return in_chain == 0 ? 0 : rank - 1;
    });
}

// Children are 2^k and 2^(k+1) further
Parents binary_tree(int ranks) {
    return parents(ranks, [](int rank) {
        const int on_level = floor_power_of_two(rank + 1);
        int parent = rank;
        while (parent >= on_level - 1) {
            parent -= on_level / 2;
        }
        return parent;
    });
}

// The parent is the rank without its highest bit
Parents binomial_tree(int ranks) {
    return parents(ranks, [](int rank) { return rank - floor_power_of_two(rank); });
}

Parents knomial_tree(int ranks, int radix) {
    return parents(ranks, [=](int rank) {
        int mask = radix;
        while (rank % mask == 0) {
            mask *= radix;
        }
        return rank / mask * mask;
    });
}

Parents star(int ranks) {
    return parents(ranks, [](int) { return 0; });
}

std::vector<int> depths(const Parents& tree) {
    std::vector<int> result(tree.size(), 0);
    for (std::size_t rank = 1; rank < tree.size(); ++rank) {
        result[rank] = result[static_cast<std::size_t>(tree[rank])] + 1;
    }
    return result;
}

std::vector<int> heights(const Parents& tree) {
    std::vector<int> result(tree.size(), 0);
    for (std::size_t rank = tree.size() - 1; rank > 0; --rank) {
        int& parent = result[static_cast<std::size_t>(tree[rank])];
        parent = std::max(parent, result[rank] + 1);
    }
    return result;
}

Segments::Segments(std::size_t total_bytes, std::size_t segment_bytes, std::size_t element_bytes)
    : total(total_bytes),
      bytes(segment_bytes == 0 || segment_bytes >= total_bytes
                ? total_bytes
                : std::max<std::size_t>(1, segment_bytes / element_bytes) * element_bytes) {}

Phase down(const Call& call, const Parents& tree, std::size_t segment_bytes) {
    const Segments segments(call.bytes, segment_bytes, call.element_bytes);
    const std::vector<int> depth = depths(tree);
    const int levels = *std::max_element(depth.begin(), depth.end());
    return {segments.count() + std::max(0, levels - 1), [=, root = call.root](int i, Round& round) {
                const auto ranks = static_cast<int>(tree.size());
                for (int rank = 1; rank < ranks; ++rank) {
                    const int segment = i - depth[static_cast<std::size_t>(rank)] + 1;
                    if (segment >= 0 && segment < segments.count()) {
                        round.send((tree[static_cast<std::size_t>(rank)] + root) % ranks,
                                   (rank + root) % ranks, segments.piece(segment));
                    }
                }
            }};
}

Phase up(const Call& call, const Parents& tree, std::size_t segment_bytes) {
    const Segments segments(call.bytes, segment_bytes, call.element_bytes);
    const std::vector<int> height = heights(tree);
    return {segments.count() + std::max(0, height[0] - 1), [=, root = call.root](int i, Round& round) {
                const auto ranks = static_cast<int>(tree.size());
                for (int rank = 1; rank < ranks; ++rank) {
                    const int segment = i - height[static_cast<std::size_t>(rank)];
                    if (segment >= 0 && segment < segments.count()) {
                        round.send((rank + root) % ranks,
                                   (tree[static_cast<std::size_t>(rank)] + root) % ranks,
                                   segments.piece(segment), 0, Effect::combine_before);
                    }
                }
            }};
}

}  // namespace models::schedules::openmpi

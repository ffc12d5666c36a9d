// SPDX-License-Identifier: MIT
#include "rank_placement.hpp"

#include <algorithm>

namespace models {

const char* to_string(Mapping mapping) {
    return mapping == Mapping::block ? "block" : "round-robin";
}

RankPlacement::RankPlacement(int node_count, int ranks_per_node, Mapping mapping) : nodes(node_count) {
    node_of_rank.reserve(static_cast<std::size_t>(node_count) * static_cast<std::size_t>(ranks_per_node));
    for (int rank = 0; rank < node_count * ranks_per_node; ++rank) {
        node_of_rank.push_back(mapping == Mapping::block ? rank / ranks_per_node : rank % node_count);
    }
}

RankPlacement::RankPlacement(std::vector<int> nodes_of_ranks)
    : nodes(1 + *std::max_element(nodes_of_ranks.begin(), nodes_of_ranks.end())),
      node_of_rank(std::move(nodes_of_ranks)) {}

std::vector<int> RankPlacement::ranks_on_nodes() const {
    std::vector<int> counts(static_cast<std::size_t>(nodes));
    for (const int node : node_of_rank) {
        ++counts[static_cast<std::size_t>(node)];
    }
    return counts;
}

std::optional<Mapping> RankPlacement::even_mapping() const {
    for (const Mapping mapping : {Mapping::block, Mapping::round_robin}) {
        if (RankPlacement(nodes, ranks() / nodes, mapping).node_of_rank == node_of_rank) {
            return mapping;
        }
    }
    return std::nullopt;
}

std::vector<std::vector<int>> RankPlacement::ranks_of_nodes() const {
    std::vector<std::vector<int>> members(static_cast<std::size_t>(nodes));
    for (int rank = 0; rank < ranks(); ++rank) {
        members[static_cast<std::size_t>(node_of_rank[static_cast<std::size_t>(rank)])].push_back(rank);
    }
    return members;
}

}  // namespace models

// SPDX-License-Identifier: MIT
// Which rank is on which node.
#pragma once

#include <optional>
#include <vector>

namespace models {

enum class Mapping { block, round_robin };  // of ranks to nodes
const char* to_string(Mapping mapping);     // block, round-robin

struct RankPlacement {
    int nodes = 1;
    std::vector<int> node_of_rank;

    RankPlacement() = default;
    RankPlacement(int node_count, int ranks_per_node, Mapping mapping = Mapping::block);
    explicit RankPlacement(std::vector<int> nodes_of_ranks);  // nodes numbered from 0

    int ranks() const { return static_cast<int>(node_of_rank.size()); }
    std::vector<int> ranks_on_nodes() const;  // how many
    // How ranks are mapped if each node has as many; nothing if they are mapped in another way
    std::optional<Mapping> even_mapping() const;
    // Ranks of each node in ascending order; the first one is the node's own root, as in MPICH.
    std::vector<std::vector<int>> ranks_of_nodes() const;
};

}  // namespace models

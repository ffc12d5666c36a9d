// SPDX-License-Identifier: MIT
#include "layout_blocks.hpp"

#include <algorithm>

namespace tuner::report {

namespace {

// The block of this row that starts at the field
Block block_from(const LayoutMap& map, const LookOf& look, const MapField& field) {
    MapField next = field;
    while (next.nodes < map.nodes.size() && look(map, next) == look(map, field)) {
        ++next.nodes;
    }
    return {field.size, field.nodes, next.nodes, field.ppn, field.ppn + 1};
}

void add_block(Blocks& blocks, const Block& block) {
    const auto below =
        std::find_if(blocks.rbegin(), blocks.rend(), [&](const Block& b) { return b.continues_in(block); });
    if (below == blocks.rend()) {
        blocks.push_back(block);
    } else {
        below->end_ppn = block.end_ppn;
    }
}

}  // namespace

int look_of(const LayoutMap& map, const MapField& field) {
    return map.is_job(field) ? map.choice(field) : no_job;
}

std::map<int, Blocks> blocks_of(const LayoutMap& map, const LookOf& look) {
    std::map<int, Blocks> blocks;
    for (std::size_t size = 0; size < map.sizes.size(); ++size) {
        for (std::size_t ppn = 0; ppn < map.ppn.size(); ++ppn) {
            for (std::size_t nodes = 0; nodes < map.nodes.size();) {
                const MapField field = {size, ppn, nodes};
                const Block block = block_from(map, look, field);
                add_block(blocks[look(map, field)], block);
                nodes = block.end_nodes;
            }
        }
    }
    return blocks;
}

}  // namespace tuner::report

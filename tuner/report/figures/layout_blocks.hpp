// SPDX-License-Identifier: MIT
// Fields of a map of layouts that look the same, put together to rectangles: a map of a large cluster stays
// small.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "layout_maps.hpp"

namespace tuner::report {

// Neighbouring fields with the same choice; ends are behind the last
struct Block {
    std::size_t size;
    std::size_t first_nodes;
    std::size_t end_nodes;
    std::size_t first_ppn;
    std::size_t end_ppn;

    bool continues_in(const Block& above) const {
        return size == above.size && first_nodes == above.first_nodes && end_nodes == above.end_nodes &&
               end_ppn == above.first_ppn;
    }
    std::size_t fields() const { return (end_nodes - first_nodes) * (end_ppn - first_ppn); }
};
using Blocks = std::vector<Block>;

// What looks different: the position of a rule, LayoutMap::no_rule, or
inline constexpr int no_job = LayoutMap::no_rule - 1;

using LookOf = std::function<int(const LayoutMap& map, const MapField& field)>;

int look_of(const LayoutMap& map, const MapField& field);

// By look; all sizes
std::map<int, Blocks> blocks_of(const LayoutMap& map, const LookOf& look);

}  // namespace tuner::report

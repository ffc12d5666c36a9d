// SPDX-License-Identifier: MIT
// A layout: nodes x processes per node, and how ranks are mapped to nodes. The last node may have fewer ranks
// than the others. The only place that turns a layout into text or JSON and back.
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "checked_json.hpp"
#include "rank_placement.hpp"

namespace tuner {

using models::Mapping;

struct Layout {
    int nodes = 1;
    int ppn = 1;  // processes per node
    Mapping mapping = Mapping::block;
    int missing = 0;  // ranks fewer on the last node than on the others: fewer than ppn, and 0 for one node

    int ranks() const { return nodes * ppn - missing; }
    bool is_even() const { return missing == 0; }
    int ranks_on(int node) const { return node + 1 == nodes ? ppn - missing : ppn; }  // nodes from 0 on
    auto operator<=>(const Layout&) const = default;
};

std::string to_string(const Layout& layout);   // 4x2, 4x2-1 (7 ranks), or 4x2 round-robin
Layout parse_layout(const std::string& text);  // 4x2, 4x2-1:round-robin, or as to_string writes it

// Which node each rank is on. With round-robin, the last node is left out of the last `missing` rounds.
models::RankPlacement placement_of(const Layout& layout);
// The layout whose ranks are on these nodes, which are numbered in the order of their first rank
std::optional<Layout> layout_of(const models::RankPlacement& placement);

// As the keys `nodes`, `ppn` and `mapping` of an object, which may have others; and `ranks`, if the last node
// has fewer
void add_layout(Json& object, const Layout& layout);
Layout layout_from(const Json& object);         // that add_layout wrote
Layout layout_from(const CheckedJson& object);  // that people wrote; `mapping` is block by default

}  // namespace tuner

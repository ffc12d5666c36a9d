// SPDX-License-Identifier: MIT
// A layout: nodes x processes per node, and how ranks are mapped to nodes. The only place that turns one into
// text or JSON and back.
#pragma once

#include <compare>
#include <string>

#include "checked_json.hpp"
#include "rank_placement.hpp"

namespace tuner {

using models::Mapping;

struct Layout {
    int nodes = 1;
    int ppn = 1;  // processes per node
    Mapping mapping = Mapping::block;

    int ranks() const { return nodes * ppn; }
    auto operator<=>(const Layout&) const = default;
};

std::string to_string(const Layout& layout);   // 4x2, or 4x2 round-robin
Layout parse_layout(const std::string& text);  // 4x2, 4x2:round-robin, or as to_string writes it

// Which node each rank is on
models::RankPlacement placement_of(const Layout& layout);

// As the keys `nodes`, `ppn` and `mapping` of an object, which may have others
void add_layout(Json& object, const Layout& layout);
Layout layout_from(const Json& object);         // that add_layout wrote
Layout layout_from(const CheckedJson& object);  // that people wrote; without a mapping it is block

}  // namespace tuner

// SPDX-License-Identifier: MIT
// Which layouts a rule is for: ranges of nodes, of ranks on each node and of all ranks, and a mapping. It
// holds where the library says that such a rule of its tuning file holds (mpich-patches/README.md).
#pragma once

#include <compare>
#include <limits>
#include <optional>
#include <string>

#include "layout.hpp"

namespace tuner {

// Both ends included
struct CountRange {
    static constexpr int no_last = std::numeric_limits<int>::max();
    int first = 1;
    int last = no_last;

    bool holds(int count) const { return first <= count && count <= last; }
    bool is_single() const { return first == last; }
    bool is_any() const { return first <= 1 && last == no_last; }
    bool contains(const CountRange& other) const { return first <= other.first && other.last <= last; }
    auto operator<=>(const CountRange&) const = default;
};

std::string to_string(const CountRange& range);  // 4, 2 to 8, 2 or more, any

// What is left as it is means any
struct LayoutRange {
    CountRange nodes = {};
    CountRange ppn = {};  // the fewest and the most ranks on a node must both be in it
    CountRange ranks = {};
    std::optional<Mapping> mapping = {};
    bool uneven = false;  // ppn: or only the most, where the last node is not full

    static LayoutRange exactly(const Layout& layout);

    bool holds(const Layout& layout) const;
    std::optional<Layout> single() const;             // if only one layout is meant
    bool contains(const LayoutRange& other) const;    // holds for all layouts of the other one
    bool intersects(const LayoutRange& other) const;  // holds for some of them
    bool operator==(const LayoutRange&) const = default;
};

std::string to_string(const LayoutRange& range);  // 4x2, or 2 to 8 nodes x 1 to 3

// As the keys `nodes`, `ppn`, `uneven`, `mapping` and `ranks` of an object: those of add_layout if only one
// layout is meant; else [first, last], where null is no end, and the mapping may be any
void add_layout_range(Json& object, const LayoutRange& range);
LayoutRange layout_range_from(const CheckedJson& object);

}  // namespace tuner

// SPDX-License-Identifier: MIT
#include "layout_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace tuner {

namespace {

const std::string any_mapping = "any";

// One node, and one rank on each, are both mappings
bool is_both_mappings(const Layout& layout) {
    return layout.nodes == 1 || layout.ppn == 1;
}

// One node, or one rank on each, cannot lack a rank
bool can_be_uneven(const LayoutRange& range) {
    return range.uneven && range.nodes.last > 1 && range.ppn.last > 1;
}

// By the library, round-robin is rank i on node i modulo nodes: not if the last node lacks more than one rank
bool has_mapping(const Layout& layout, Mapping mapping) {
    return is_both_mappings(layout) ||
           (layout.mapping == mapping && (mapping == Mapping::block || layout.missing <= 1));
}

int fewest_on_a_node(const LayoutRange& range) {
    return range.uneven ? 1 : range.ppn.first;
}

// Of the numbers of ranks that nodes and ppn allow
struct RanksOf {
    std::int64_t first;
    std::int64_t last;

    RanksOf(const LayoutRange& range, int fewest)
        : first(std::max<std::int64_t>(range.ranks.first,
                                       std::int64_t{range.nodes.first - 1} * range.ppn.first +
                                           (range.nodes.first > 1 ? fewest : range.ppn.first))),
          last(std::min<std::int64_t>(range.ranks.last, std::int64_t{range.nodes.last} * range.ppn.last)) {}
    explicit RanksOf(const LayoutRange& range) : RanksOf(range, fewest_on_a_node(range)) {}
};

CountRange common(const CountRange& a, const CountRange& b) {
    return {std::max(a.first, b.first), std::min(a.last, b.last)};
}

Json to_json(const CountRange& range) {
    return Json::array({range.first, range.last == CountRange::no_last ? Json(nullptr) : Json(range.last)});
}

CountRange count_range_from(const CheckedJson& json) {
    if (json.json().is_number()) {
        const int count = static_cast<int>(json.integer(1, CountRange::no_last - 1));
        return {count, count};
    }
    if (!json.json().is_array() || json.json().size() != 2) {
        json.fail(fmt::format(
            "expected a number, or [first, last] with null for no end, got {}; write for example [2, 8]",
            json.json().dump(-1, ' ', true)));
    }
    const std::vector<CheckedJson> ends = json.list();
    CountRange range;
    range.first = static_cast<int>(ends[0].integer(1, CountRange::no_last - 1));
    if (!ends[1].json().is_null()) {
        range.last = static_cast<int>(ends[1].integer(range.first, CountRange::no_last - 1));
    }
    return range;
}

// All of them numbers: one layout, as add_layout writes it
bool is_one_layout(const CheckedJson& object) {
    const auto is_number = [&](const char* key) { return object.at(key).json().is_number(); };
    return is_number("nodes") && is_number("ppn") && (!object.has("ranks") || is_number("ranks")) &&
           !object.has("uneven") && (!object.has("mapping") || object.at("mapping").json() != any_mapping);
}

}  // namespace

std::string to_string(const CountRange& range) {
    if (range.is_any()) {
        return "any";
    }
    if (range.is_single()) {
        return std::to_string(range.first);
    }
    return range.last == CountRange::no_last ? fmt::format("{} or more", range.first)
                                             : fmt::format("{} to {}", range.first, range.last);
}

LayoutRange LayoutRange::exactly(const Layout& layout) {
    LayoutRange range;
    range.nodes = {layout.nodes, layout.nodes};
    range.ppn = {layout.ppn - layout.missing, layout.ppn};
    if (!layout.is_even()) {
        range.ranks = {layout.ranks(), layout.ranks()};
    }
    range.mapping = layout.mapping;
    return range;
}

bool LayoutRange::holds(const Layout& layout) const {
    return nodes.holds(layout.nodes) && ppn.holds(layout.ppn) &&
           (uneven || ppn.holds(layout.ppn - layout.missing)) && ranks.holds(layout.ranks()) &&
           (!mapping || has_mapping(layout, *mapping));
}

std::optional<Layout> LayoutRange::single() const {
    Layout layout;
    layout.nodes = nodes.first;
    layout.ppn = ppn.last;
    if (!nodes.is_single() || ppn.last == CountRange::no_last || can_be_uneven(*this) ||
        (!mapping && !is_both_mappings(layout))) {
        return std::nullopt;
    }
    layout.mapping = mapping.value_or(Mapping::block);
    layout.missing = ppn.last - ppn.first;
    const std::int64_t size = std::int64_t{layout.nodes} * layout.ppn - layout.missing;
    const bool has_its_ranks = ranks.first <= size && size <= ranks.last;
    const bool is_one = layout.is_even() || (ranks.is_single() && layout.nodes > 1);
    return has_its_ranks && is_one ? std::optional(layout) : std::nullopt;
}

bool LayoutRange::contains(const LayoutRange& other) const {
    const RanksOf theirs(other);
    const bool is_flat = other.nodes.last == 1 || other.ppn.last == 1;
    return nodes.contains(other.nodes) && ppn.contains(other.ppn) &&
           (uneven || ppn.holds(fewest_on_a_node(other))) && ranks.first <= theirs.first &&
           theirs.last <= ranks.last && (!mapping || mapping == other.mapping || is_flat);
}

bool LayoutRange::intersects(const LayoutRange& other) const {
    const LayoutRange both = {
        common(nodes, other.nodes), common(ppn, other.ppn), common(ranks, other.ranks), {}};
    const RanksOf ranks_of_both(both, std::max(fewest_on_a_node(*this), fewest_on_a_node(other)));
    const bool has_flat = both.nodes.first == 1 || both.ppn.first == 1;
    return both.nodes.first <= both.nodes.last && both.ppn.first <= both.ppn.last &&
           std::max(RanksOf(*this).first, RanksOf(other).first) <=
               std::min(RanksOf(*this).last, RanksOf(other).last) &&
           ranks_of_both.first <= ranks_of_both.last &&
           (!mapping || !other.mapping || mapping == other.mapping || has_flat);
}

std::string to_string(const LayoutRange& range) {
    if (const std::optional<Layout> layout = range.single()) {
        return to_string(*layout);
    }
    std::string text = fmt::format("{} node{} x {}", to_string(range.nodes),
                                   range.nodes == CountRange{1, 1} ? "" : "s", to_string(range.ppn));
    if (can_be_uneven(range)) {
        text += " or fewer on the last node";
    }
    if (!range.ranks.is_any()) {
        text += fmt::format(", {} ranks", to_string(range.ranks));
    }
    return range.mapping ? text + ", " + to_string(*range.mapping) : text;
}

void add_layout_range(Json& object, const LayoutRange& range) {
    if (const std::optional<Layout> layout = range.single()) {
        add_layout(object, *layout);
        return;
    }
    object["nodes"] = range.nodes.is_single() ? Json(range.nodes.first) : to_json(range.nodes);
    object["ppn"] = range.ppn.is_single() ? Json(range.ppn.first) : to_json(range.ppn);
    object["mapping"] = range.mapping ? to_string(*range.mapping) : any_mapping;
    if (can_be_uneven(range)) {
        object["uneven"] = true;
    }
    if (!range.ranks.is_any()) {
        object["ranks"] = to_json(range.ranks);  // also of one number: three numbers are one layout
    }
}

LayoutRange layout_range_from(const CheckedJson& object) {
    if (is_one_layout(object)) {
        return LayoutRange::exactly(layout_from(object));
    }
    LayoutRange range;
    range.nodes = count_range_from(object.at("nodes"));
    range.ppn = count_range_from(object.at("ppn"));
    if (object.has("uneven")) {
        range.uneven = object.at("uneven").boolean();
    }
    if (object.has("ranks")) {
        range.ranks = count_range_from(object.at("ranks"));
    }
    const std::string mapping = object.at("mapping").one_of(
        {to_string(Mapping::block), to_string(Mapping::round_robin), any_mapping});
    if (mapping != any_mapping) {
        range.mapping = mapping == to_string(Mapping::block) ? Mapping::block : Mapping::round_robin;
    }
    if (const RanksOf ranks(range); ranks.first > ranks.last) {
        object.fail(fmt::format("no layout of {} has {} ranks; correct nodes, ppn or ranks",
                                to_string(LayoutRange{range.nodes, range.ppn, {}, {}, range.uneven}),
                                to_string(range.ranks)));
    }
    return range;
}

}  // namespace tuner

// SPDX-License-Identifier: MIT
#include "layout.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "error.hpp"

namespace tuner {

namespace {

const std::string block_name = to_string(Mapping::block);
const std::string round_robin_name = to_string(Mapping::round_robin);
constexpr int most_ranks = std::numeric_limits<int>::max();

// A whole number above zero at the start of the text, which it takes off; 0: there is none
int take_number(std::string_view& text) {
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return problem == std::errc() && number > 0 ? number : 0;
}

// Whether the text starts with this, which it takes off
bool take(std::string_view& text, std::string_view start) {
    const bool is_there = text.starts_with(start);
    text.remove_prefix(is_there ? start.size() : 0);
    return is_there;
}

// One node with fewer ranks is an even layout
Layout with_missing(Layout layout, int missing) {
    if (layout.nodes == 1) {
        layout.ppn -= missing;
    } else {
        layout.missing = missing;
    }
    return layout;
}

// The fewest ranks that need this many nodes: the last one has one rank
int fewest_ranks(const Layout& layout) {
    return layout.ranks() - layout.ppn + 1;
}

}  // namespace

std::string to_string(const Layout& layout) {
    return fmt::format("{}x{}{}{}", layout.nodes, layout.ppn,
                       layout.is_even() ? "" : fmt::format("-{}", layout.missing),
                       layout.mapping == Mapping::block ? "" : " " + round_robin_name);
}

Layout parse_layout(const std::string& text) {
    const auto bad = [&] {
        return usage_error(fmt::format(
            "'{0}' is not a layout; write nodes x ranks per node, such as 4x2, 4x2:{1}, or 4x2-1 if the last "
            "node has one rank fewer",
            text, round_robin_name));
    };
    std::string_view rest = text;
    Layout layout;
    layout.nodes = take_number(rest);
    if (layout.nodes == 0 || !take(rest, "x")) {
        throw bad();
    }
    layout.ppn = take_number(rest);
    if (layout.ppn == 0 || layout.ppn > most_ranks / layout.nodes) {
        throw bad();
    }
    if (take(rest, "-")) {
        const int missing = take_number(rest);
        if (missing == 0 || missing >= layout.ppn) {
            throw bad();
        }
        layout = with_missing(layout, missing);
    }
    if (rest.empty()) {
        return layout;
    }
    const bool has_mapping = take(rest, ":") || take(rest, " ");
    if (!has_mapping || (rest != block_name && rest != round_robin_name)) {
        throw bad();
    }
    layout.mapping = rest == block_name ? Mapping::block : Mapping::round_robin;
    return layout;
}

models::RankPlacement placement_of(const Layout& layout) {
    models::RankPlacement even(layout.nodes, layout.ppn, layout.mapping);
    if (layout.is_even()) {
        return even;
    }
    std::vector<int> nodes;
    int on_last_node = 0;
    for (const int node : even.node_of_rank) {
        if (node != layout.nodes - 1 || ++on_last_node <= layout.ranks_on(node)) {
            nodes.push_back(node);
        }
    }
    return models::RankPlacement(std::move(nodes));
}

std::optional<Layout> layout_of(const models::RankPlacement& placement) {
    const std::vector<int> counts = placement.ranks_on_nodes();
    const int missing = counts.front() - counts.back();
    for (const Mapping mapping : {Mapping::block, Mapping::round_robin}) {
        const Layout layout = {placement.nodes, counts.front(), mapping, missing};
        if (missing >= 0 && layout.ranks() == placement.ranks() &&
            placement_of(layout).node_of_rank == placement.node_of_rank) {
            return layout;
        }
    }
    return std::nullopt;
}

void add_layout(Json& object, const Layout& layout) {
    object["nodes"] = layout.nodes;
    object["ppn"] = layout.ppn;
    object["mapping"] = to_string(layout.mapping);
    if (!layout.is_even()) {
        object["ranks"] = layout.ranks();
    }
}

Layout layout_from(const Json& object) {
    const auto nodes = whole_number(object.at("nodes"));
    const auto ppn = whole_number(object.at("ppn"));
    const auto mapping = object.at("mapping").get<std::string>();
    if (nodes < 1 || ppn < 1 || nodes > most_ranks || ppn > most_ranks / nodes ||
        (mapping != block_name && mapping != round_robin_name)) {
        throw std::invalid_argument(fmt::format("there is no layout {}x{} {}", nodes, ppn, mapping));
    }
    const Layout layout = {static_cast<int>(nodes), static_cast<int>(ppn),
                           mapping == block_name ? Mapping::block : Mapping::round_robin};
    if (!object.contains("ranks")) {
        return layout;
    }
    const auto ranks = static_cast<std::int64_t>(whole_number(object.at("ranks")));
    if (ranks < fewest_ranks(layout) || ranks > layout.ranks()) {
        throw std::invalid_argument(
            fmt::format("there is no layout {} with {} ranks", to_string(layout), ranks));
    }
    return with_missing(layout, layout.ranks() - static_cast<int>(ranks));
}

Layout layout_from(const CheckedJson& object) {
    Layout layout;
    layout.nodes = static_cast<int>(object.at("nodes").integer(1, most_ranks));
    layout.ppn = static_cast<int>(object.at("ppn").integer(1, most_ranks / layout.nodes));
    if (object.has("mapping") &&
        object.at("mapping").one_of({block_name, round_robin_name}) == round_robin_name) {
        layout.mapping = Mapping::round_robin;
    }
    if (!object.has("ranks")) {
        return layout;
    }
    const std::int64_t ranks = object.at("ranks").integer(1, most_ranks);
    if (ranks < fewest_ranks(layout) || ranks > layout.ranks()) {
        object.at("ranks").fail(fmt::format(
            "{} ranks do not fit {} nodes of {}, of which only the last can have fewer; write {} to {}, or "
            "change \"nodes\" or \"ppn\"",
            ranks, layout.nodes, layout.ppn, fewest_ranks(layout), layout.ranks()));
    }
    return with_missing(layout, layout.ranks() - static_cast<int>(ranks));
}

}  // namespace tuner

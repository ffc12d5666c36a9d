// SPDX-License-Identifier: MIT
#include "layout.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <stdexcept>

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

}  // namespace

std::string to_string(const Layout& layout) {
    return fmt::format("{}x{}{}", layout.nodes, layout.ppn,
                       layout.mapping == Mapping::block ? "" : " " + round_robin_name);
}

Layout parse_layout(const std::string& text) {
    const auto bad = [&] {
        return usage_error(
            "'" + text +
            "' is not a layout; write nodes x ranks per node, such as 4x2 or 4x2:" + round_robin_name);
    };
    std::string_view rest = text;
    Layout layout;
    layout.nodes = take_number(rest);
    if (layout.nodes == 0 || rest.empty() || rest.front() != 'x') {
        throw bad();
    }
    rest.remove_prefix(1);
    layout.ppn = take_number(rest);
    if (layout.ppn == 0 || layout.ppn > most_ranks / layout.nodes) {
        throw bad();
    }
    if (rest.empty()) {
        return layout;
    }
    const std::string_view mapping = rest.substr(1);
    if ((rest.front() != ':' && rest.front() != ' ') ||
        (mapping != block_name && mapping != round_robin_name)) {
        throw bad();
    }
    layout.mapping = mapping == block_name ? Mapping::block : Mapping::round_robin;
    return layout;
}

models::RankPlacement placement_of(const Layout& layout) {
    return {layout.nodes, layout.ppn, layout.mapping};
}

void add_layout(Json& object, const Layout& layout) {
    object["nodes"] = layout.nodes;
    object["ppn"] = layout.ppn;
    object["mapping"] = to_string(layout.mapping);
}

Layout layout_from(const Json& object) {
    const auto nodes = whole_number(object.at("nodes"));
    const auto ppn = whole_number(object.at("ppn"));
    const auto mapping = object.at("mapping").get<std::string>();
    if (nodes < 1 || ppn < 1 || nodes > most_ranks || ppn > most_ranks / nodes ||
        (mapping != block_name && mapping != round_robin_name)) {
        throw std::invalid_argument(fmt::format("there is no layout {}x{} {}", nodes, ppn, mapping));
    }
    return {static_cast<int>(nodes), static_cast<int>(ppn),
            mapping == block_name ? Mapping::block : Mapping::round_robin};
}

Layout layout_from(const CheckedJson& object) {
    Layout layout;
    layout.nodes = static_cast<int>(object.at("nodes").integer(1, most_ranks));
    layout.ppn = static_cast<int>(object.at("ppn").integer(1, most_ranks / layout.nodes));
    if (object.has("mapping") &&
        object.at("mapping").one_of({block_name, round_robin_name}) == round_robin_name) {
        layout.mapping = Mapping::round_robin;
    }
    return layout;
}

}  // namespace tuner

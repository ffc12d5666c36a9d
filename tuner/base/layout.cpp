// SPDX-License-Identifier: MIT
#include "layout.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "error.hpp"

namespace tuner {

namespace {

const std::string block_name = to_string(Mapping::block);
const std::string round_robin_name = to_string(Mapping::round_robin);

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
        return wrong_use("'" + text + "' is not a layout; write nodes x ranks per node, such as 4x2 or 4x2:" +
                         round_robin_name);
    };
    std::string_view rest = text;
    Layout layout;
    layout.nodes = take_number(rest);
    if (layout.nodes == 0 || rest.empty() || rest.front() != 'x') {
        throw bad();
    }
    rest.remove_prefix(1);
    layout.ppn = take_number(rest);
    if (layout.ppn == 0 || layout.ppn > std::numeric_limits<int>::max() / layout.nodes) {
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
    return {object.at("nodes").get<int>(), object.at("ppn").get<int>(),
            object.at("mapping") == block_name ? Mapping::block : Mapping::round_robin};
}

Layout layout_from(const CheckedJson& object) {
    constexpr int most = std::numeric_limits<int>::max();
    Layout layout;
    layout.nodes = static_cast<int>(object.at("nodes").integer(1, most));
    layout.ppn = static_cast<int>(object.at("ppn").integer(1, most / layout.nodes));
    if (object.has("mapping") &&
        object.at("mapping").one_of({block_name, round_robin_name}) == round_robin_name) {
        layout.mapping = Mapping::round_robin;
    }
    return layout;
}

}  // namespace tuner

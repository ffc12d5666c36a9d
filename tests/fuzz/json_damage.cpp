// SPDX-License-Identifier: MIT
#include "json_damage.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace fuzz {

namespace {

using Json = nlohmann::ordered_json;

constexpr int deepest = 60;  // what is deeper is left to changes of bytes

Json nested(int levels) {
    Json json = Json::array();
    for (; levels > 0; --levels) {
        json = Json::array({std::move(json)});
    }
    return json;
}

const std::vector<Json>& odd_values() {
    using Int = std::numeric_limits<std::int64_t>;
    static const std::vector<Json> values = {nullptr,
                                             true,
                                             false,
                                             0,
                                             1,
                                             -1,
                                             2,
                                             8,
                                             0.5,
                                             -0.0,
                                             1e-320,
                                             1e308,
                                             -1e308,
                                             9.3e18,
                                             1.9e19,
                                             Int::max(),
                                             Int::min(),
                                             std::numeric_limits<std::uint64_t>::max(),
                                             2147483647,
                                             2147483648,
                                             -2147483648,
                                             1048576,
                                             1048577,
                                             4294967296,
                                             "",
                                             "x",
                                             " ",
                                             "default",
                                             "0",
                                             "-1",
                                             "1e9h",
                                             "null",
                                             "\n",
                                             "a\"b'c\\d",
                                             std::string(1, '\0'),
                                             "$(id)",
                                             "`id`",
                                             "-oProxyCommand=id",
                                             "../../x",
                                             "%s%n",
                                             "{}",
                                             "n[1-4]",
                                             "n[9-1]",
                                             "n[0000001-9999999]",
                                             "\xf0\x9f\x92\xa9",
                                             std::string(300, 'a'),
                                             Json::array(),
                                             Json::object(),
                                             Json::array({Json::array()}),
                                             Json::object({{"", nullptr}}),
                                             nested(50)};
    return values;
}

// Iterators of objects cannot jump
template <class Node>
auto at_place(Node& node, std::size_t place) {
    return std::next(node.begin(), static_cast<std::ptrdiff_t>(place));
}

class Document {
  public:
    Document(Json root, Random& random) : root_(std::move(root)), random_(random) {}

    void change() {
        static constexpr void (Document::*changes[])() = {
            &Document::set_odd, &Document::set_odd, &Document::copy,  &Document::remove,
            &Document::add,     &Document::rename,  &Document::count, &Document::count};
        nodes_.clear();
        collect(root_);
        (this->*changes[below(std::size(changes))])();
    }
    std::string text() const { return root_.dump(-1, ' ', false, Json::error_handler_t::replace); }

  private:
    std::size_t below(std::size_t limit) { return random_() % limit; }
    Json& any_node() { return *nodes_[below(nodes_.size())]; }
    Json odd() { return odd_values()[below(odd_values().size())]; }

    void collect(Json& node) {
        nodes_.push_back(&node);
        if (node.is_structured()) {
            for (Json& child : node) {
                collect(child);
            }
        }
    }
    void set_odd() { any_node() = odd(); }
    void copy() {
        Json value = any_node();
        any_node() = std::move(value);
    }
    void remove() {
        Json& node = any_node();
        if (node.is_structured() && !node.empty()) {
            node.erase(at_place(node, below(node.size())));
        }
    }
    void add() {
        Json value = below(2) == 0 ? odd() : Json(any_node());
        Json& node = any_node();
        if (node.is_array()) {
            node.insert(at_place(node, below(node.size() + 1)), std::move(value));
        } else if (node.is_object()) {
            node[any_key()] = std::move(value);
        }
    }
    void rename() {
        Json& node = any_node();
        if (node.is_object() && !node.empty()) {
            const auto at = at_place(node, below(node.size()));
            Json value = at.value();
            const std::string key = any_key();  // before there is a node less
            node.erase(at);
            node[key] = std::move(value);
        }
    }
    // A number near another
    void count() {
        Json& node = any_node();
        if (node.is_number_integer()) {
            const auto value = node.get<std::uint64_t>();
            const std::uint64_t values[] = {value + 1, value - 1,          value * 2,
                                            value / 2, value << below(64), ~value};
            node = static_cast<std::int64_t>(values[below(std::size(values))]);
        } else if (node.is_number_float()) {
            const auto value = node.get<double>();
            const double values[] = {-value, value * 1e-9, value * 1e9, value * value, 1 / value};
            node = values[below(std::size(values))];
        }
    }
    // Of the document, or one that it does not have
    std::string any_key() {
        const Json& node = any_node();
        return node.is_object() && !node.empty() ? at_place(node, below(node.size())).key() : "unknown";
    }

    Json root_;
    Random& random_;
    std::vector<Json*> nodes_;
};

}  // namespace

std::optional<std::string> damaged_json(const std::string& text, Random& random) {
    bool is_deep = false;
    const auto note_depth = [&](int depth, Json::parse_event_t, Json&) {
        return !(is_deep |= depth > deepest);
    };
    Json root = Json::parse(text, note_depth, false, true);
    if (root.is_discarded() || is_deep) {
        return {};
    }
    Document document(std::move(root), random);
    for (std::size_t changes = 1 + random() % 4; changes > 0; --changes) {
        document.change();
    }
    return document.text();
}

std::optional<std::string> damaged_line(const std::string& text, Random& random) {
    std::vector<std::size_t> starts = {0};
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
        starts.push_back(at + 1);
    }
    const std::size_t start = starts[random() % starts.size()];
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::optional<std::string> line = damaged_json(text.substr(start, end - start), random);
    return line ? std::optional(text.substr(0, start) + *line + text.substr(end)) : std::nullopt;
}

}  // namespace fuzz

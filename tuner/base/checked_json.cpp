// SPDX-License-Identifier: MIT
#include "checked_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>

#include "error.hpp"
#include "files.hpp"

namespace tuner {

namespace {

// Insertions, deletions, replacements, and swaps of two neighbours
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        rows[i][0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool differ = a[i - 1] != b[j - 1];
            std::size_t& here = rows[i][j];
            here = std::min({rows[i - 1][j - 1] + differ, rows[i - 1][j] + 1, rows[i][j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                here = std::min(here, rows[i - 2][j - 2] + 1);
            }
        }
    }
    return rows.back().back();
}

std::string shortened(const std::string& text) {
    constexpr std::size_t longest = 60;
    return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

// A file of somebody else must not move the cursor of a terminal, or end a message
std::string visible(const std::string& text) {
    std::string shown;
    for (const char c : text) {
        const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        shown += is_control ? fmt::format("\\x{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
    }
    return shown;
}

// Reads a text for the JSON library and knows how far it came: some of its errors do not tell the place
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    reference operator*() const { return *at; }
    CountingIterator& operator++() {
        *reached = ++at;
        return *this;
    }
    bool operator==(const CountingIterator& other) const { return at == other.at; }
    bool operator!=(const CountingIterator& other) const { return at != other.at; }

    pointer at;
    pointer* reached;
};

std::string without_identifier(const std::string& what) {  // "[json.exception.parse_error.101] parse ..."
    return what.substr(what.find("] ") + 2);
}

std::string too_deep() {
    return fmt::format("arrays and objects are nested more than {} levels deep", deepest_json);
}

// Of arrays and objects, in JSON without comments
std::size_t depth_of(std::string_view text) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string && c == '\\') {
            ++i;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string && (c == '[' || c == '{')) {
            deepest = std::max(deepest, ++depth);
        } else if (!in_string && (c == ']' || c == '}')) {
            depth -= depth > 0;
        }
    }
    return deepest;
}

}  // namespace

Json number_or_null(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

std::uint64_t whole_number(const Json& value) {
    const bool is_whole =
        value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
    if (!is_whole) {
        throw std::invalid_argument("expected an integer from 0 on, got " + shortened(value.dump()));
    }
    return value.get<std::uint64_t>();
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
    const auto near = std::min_element(
        candidates.begin(), candidates.end(),
        [&](const auto& a, const auto& b) { return edit_distance(word, a) < edit_distance(word, b); });
    const bool is_near =
        near != candidates.end() && edit_distance(word, *near) <= std::max<std::size_t>(1, word.size() / 3);
    return fmt::format("{}known: {}", is_near ? fmt::format("did you mean '{}'? ", *near) : "",
                       fmt::join(candidates, ", "));
}

CheckedJson::CheckedJson(Json value, const std::string& file)
    : CheckedJson(std::make_shared<const Json>(std::move(value)), file, "") {}

Json parse_json(std::string_view text) {
    const auto opened = std::count(text.begin(), text.end(), '[') + std::count(text.begin(), text.end(), '{');
    if (opened > static_cast<std::ptrdiff_t>(deepest_json) && depth_of(text) > deepest_json) {
        throw std::invalid_argument(too_deep());
    }
    return Json::parse(text);
}

CheckedJson CheckedJson::parse_file(const std::string& file) {
    std::string text;
    try {
        text = read_file(file);
    } catch (const Error& error) {  // the user named it
        throw usage_error(error.what());
    }
    return parse(text, file);
}

CheckedJson CheckedJson::parse(const std::string& text, const std::string& file) {
    std::vector<std::set<std::string>> keys;  // of the objects around
    std::string repeated;
    const char* reached = text.data();
    const auto fail_there = [&](const std::string& cause) {
        // the character behind a number is read, too
        const std::size_t read = static_cast<std::size_t>(reached - text.data());
        const std::string_view before(text.data(), read - std::min<std::size_t>(read, 1));
        throw usage_error(fmt::format("{}, line {}: {}; correct it there", file,
                                      1 + std::count(before.begin(), before.end(), '\n'), cause));
    };
    const auto note_keys = [&](int depth, Json::parse_event_t event, Json& value) {
        if (depth >= static_cast<int>(deepest_json) &&
            (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start)) {
            fail_there(too_deep());
        }
        if (event == Json::parse_event_t::object_start) {
            keys.emplace_back();
        } else if (event == Json::parse_event_t::object_end) {
            keys.pop_back();
        } else if (event == Json::parse_event_t::key &&
                   !keys.back().insert(value.get<std::string>()).second) {
            repeated = value.get<std::string>();
        }
        return true;
    };
    try {
        const CountingIterator begin = {text.data(), &reached};
        const CountingIterator end = {text.data() + text.size(), &reached};
        CheckedJson document(Json::parse(begin, end, note_keys, true, true), file);
        if (!repeated.empty()) {
            document.fail("the key '" + repeated + "' is listed twice in one object; remove one of them");
        }
        return document;
    } catch (const Json::parse_error& error) {
        throw usage_error(
            fmt::format("{} is not JSON: {}; correct it there", file, without_identifier(error.what())));
    } catch (const Json::exception& error) {  // a number that is too large
        fail_there(without_identifier(error.what()));
        throw;
    }
}

CheckedJson CheckedJson::child(const Json& value, const std::string& step) const {
    return {std::shared_ptr<const Json>(value_, &value), file_, path_ + step};
}

void CheckedJson::fail(const std::string& cause_and_remedy) const {
    throw usage_error(fmt::format("{}{}: {}", file_, path_.empty() ? "" : ", " + visible(path_),
                                  visible(cause_and_remedy)));
}

void CheckedJson::only_keys(const std::vector<std::string>& known) const {
    for (const auto& [key, value] : items()) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            fail("there is no key '" + key + "'; " + suggestion(key, known));
        }
    }
}

bool CheckedJson::has(const std::string& key) const {
    return value_->is_object() && value_->contains(key);
}

CheckedJson CheckedJson::at(const std::string& key) const {
    if (!has(key)) {
        fail("the key '" + key + "' is missing; add it");
    }
    return child(value_->at(key), (path_.empty() ? "" : ".") + key);
}

std::vector<CheckedJson> CheckedJson::list() const {
    if (!value_->is_array() || value_->empty()) {
        fail("expected a list with at least one element, got " + shortened(value_->dump()) + "; write [...]");
    }
    std::vector<CheckedJson> elements;
    for (std::size_t i = 0; i < value_->size(); ++i) {
        elements.push_back(child((*value_)[i], fmt::format("[{}]", i)));
    }
    return elements;
}

std::vector<std::pair<std::string, CheckedJson>> CheckedJson::items() const {
    if (!value_->is_object()) {
        fail("expected an object, got " + shortened(value_->dump()) + "; write {\"key\": value}");
    }
    std::vector<std::pair<std::string, CheckedJson>> all;
    for (const auto& [key, value] : value_->items()) {
        all.emplace_back(key, child(value, (path_.empty() ? "" : ".") + key));
    }
    return all;
}

std::string CheckedJson::text() const {
    if (!value_->is_string() || value_->get_ref<const std::string&>().empty()) {
        fail("expected a string, got " + shortened(value_->dump()) + "; write \"...\"");
    }
    if (value_->get_ref<const std::string&>().find('\0') != std::string::npos) {
        fail("a string must not contain \\u0000, where programs end it; remove it");
    }
    return value_->get<std::string>();
}

std::string CheckedJson::one_of(const std::vector<std::string>& known) const {
    const std::string word = text();
    if (std::find(known.begin(), known.end(), word) == known.end()) {
        fail("'" + word + "' is not allowed here; " + suggestion(word, known));
    }
    return word;
}

std::int64_t CheckedJson::integer(std::int64_t smallest, std::int64_t largest) const {
    const bool fits = value_->is_number_integer() &&
                      !(value_->is_number_unsigned() && value_->get<std::uint64_t>() > INT64_MAX) &&
                      value_->get<std::int64_t>() >= smallest && value_->get<std::int64_t>() <= largest;
    if (!fits) {
        fail(fmt::format("{} is not allowed here; write an integer from {} to {}", shortened(value_->dump()),
                         smallest, largest));
    }
    return value_->get<std::int64_t>();
}

double CheckedJson::number() const {
    if (!value_->is_number()) {
        fail("expected a number, got " + shortened(value_->dump()) + "; write it without quotes");
    }
    return value_->get<double>();
}

bool CheckedJson::boolean() const {
    if (!value_->is_boolean()) {
        fail("expected true or false, got " + shortened(value_->dump()) + "; write it without quotes");
    }
    return value_->get<bool>();
}

}  // namespace tuner

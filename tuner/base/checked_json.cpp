// SPDX-License-Identifier: MIT
#include "checked_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>

#include "error.hpp"

namespace tuner {

namespace {

// Levenshtein's: insertions, deletions and replacements
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

std::string shortened(const std::string& text) {
    constexpr std::size_t longest = 60;
    return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

std::string read_text(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (!stream.is_open() || stream.bad()) {
        throw usage_error(fmt::format("{} cannot be read: {}; check the path", file, std::strerror(errno)));
    }
    return text;
}

}  // namespace

Json number_or_null(double value) {
    return std::isfinite(value) ? Json(value) : Json();
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

CheckedJson CheckedJson::parse_file(const std::string& file) {
    return parse(read_text(file), file);
}

CheckedJson CheckedJson::parse(const std::string& text, const std::string& file) {
    std::vector<std::set<std::string>> keys;  // of the objects around
    std::string repeated;
    const auto note_keys = [&](int, Json::parse_event_t event, Json& value) {
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
        CheckedJson document(Json::parse(text, note_keys, true, true), file);
        if (!repeated.empty()) {
            document.fail("the key '" + repeated + "' is listed twice in one object; remove one of them");
        }
        return document;
    } catch (const Json::parse_error& error) {
        const std::string what = error.what();  // "[json.exception...] parse error at line 3, column 7: ..."
        throw usage_error(
            fmt::format("{} is not JSON: {}; correct it there", file, what.substr(what.find("] ") + 2)));
    }
}

CheckedJson CheckedJson::child(const Json& value, const std::string& step) const {
    return {std::shared_ptr<const Json>(value_, &value), file_, path_ + step};
}

void CheckedJson::fail(const std::string& cause_and_remedy) const {
    throw usage_error(fmt::format("{}{}: {}", file_, path_.empty() ? "" : ", " + path_, cause_and_remedy));
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

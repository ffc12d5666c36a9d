// SPDX-License-Identifier: MIT
#include "request_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace bench {

namespace {

using Json = nlohmann::ordered_json;

std::invalid_argument bad_value(const std::string& key, const std::string& expected, const Json& value) {
    return std::invalid_argument(fmt::format("'{}': expected {}, got {}", key, expected, value.dump()));
}

std::invalid_argument unknown_key(const std::string& what, const std::string& key, const std::string& known) {
    return std::invalid_argument(fmt::format("there is no key '{}' in {}; known: {}", key, what, known));
}

// One key of a request. `read` throws Json::exception for a value of the wrong type.
struct Key {
    const char* name;
    const char* expected;
    void (*read)(const Json& value, Request& request, Settings& settings);
};

template <auto member>
void into_request(const Json& value, Request& request, Settings&) {
    value.get_to(request.*member);
}

template <auto member>
void into_settings(const Json& value, Request&, Settings& settings) {
    value.get_to(settings.*member);
}

template <auto member>
void into_limits(const Json& value, Request&, Settings& settings) {
    value.get_to(settings.limits.*member);
}

void read_root(const Json& value, Request& request, Settings&) {
    request.rotate_root = value == "rotating";
    if (!request.rotate_root) {
        value.get_to(request.root);
    }
}

void read_pair_list(const Json& value, Request& request, Settings&) {
    request.all_pairs = value == "halves";
    if (request.all_pairs) {
        return;
    }
    for (const auto& [root, peer] : value.get<std::vector<std::array<int, 2>>>()) {
        request.pairs.push_back({root, peer});
    }
}

void read_order(const Json& value, Request& request, Settings&) {
    request.order = order_named(value.get<std::string>());
}

// {"pattern": "one-late", "width": 0.5, "unit_us": 120} or {"pattern": "recorded", "from": "FILE"}
void read_arrival(const Json& value, Request& request, Settings&) {
    std::string text = value.is_string() ? value.get<std::string>() : value.at("pattern").get<std::string>();
    for (const auto& [key, of_key] : value.items()) {
        if (value.is_object() && key != "pattern" && key != "width" && key != "unit_us" && key != "from") {
            throw unknown_key("'arrival'", key, "pattern, width, unit_us, from");
        }
    }
    if (value.is_object() && value.contains("width")) {
        text += fmt::format(":{}", value.at("width").get<double>());
    }
    if (value.is_object() && value.contains("unit_us")) {
        value.at("unit_us").get_to(request.arrival_unit_us);
        if (!(request.arrival_unit_us > 0)) {
            throw bad_value("unit_us", "a number above 0", value.at("unit_us"));
        }
    }
    if (value.is_object() && value.contains("from")) {
        value.at("from").get_to(request.arrival_from);
    }
    request.arrival = models::parse_arrivals(text);
}

std::string interval_text(const Json& interval) {
    if (interval == search_interval_name || interval.is_number_unsigned()) {
        return interval.is_string() ? interval.get<std::string>() : interval.dump();
    }
    throw bad_value("test_intervals", "bytes or \"search\"", interval);
}

// {"schemes": ["time", "work"], "test_intervals": [0, 4096, "search"]}
void read_overlap(const Json& value, Request& request, Settings&) {
    for (const auto& [key, unused] : value.items()) {
        if (value.is_object() && key != "schemes" && key != "test_intervals") {
            throw unknown_key("'overlap'", key, "schemes, test_intervals");
        }
    }
    std::vector<std::string> intervals;
    for (const Json& interval : value.value("test_intervals", Json::array({0U}))) {
        intervals.push_back(interval_text(interval));
    }
    request.overlap =
        overlap_plan(value.value("schemes", std::vector<std::string>{"time", "work"}), intervals);
}

constexpr const char* a_string = "a string";
constexpr const char* number = "a number";
constexpr const char* truth = "true or false";
constexpr Key keys[] = {
    {"id", "any value", [](const Json&, Request&, Settings&) {}},
    {"collective", a_string, into_request<&Request::collective>},
    {"bytes", "a list of message sizes in bytes", into_request<&Request::sizes>},
    {"algorithms", "a list of strings", into_request<&Request::algorithms>},
    {"datatype", a_string, into_request<&Request::datatype>},
    {"operation", a_string, into_request<&Request::operation>},
    {"root", "a rank or \"rotating\"", read_root},
    {"in_place", truth, into_request<&Request::in_place>},
    {"order", "\"random\" or \"pairs\"", read_order},
    {"calls_in_a_row", number, into_request<&Request::calls_in_a_row>},
    {"arrival", "a pattern such as \"one-late\" or {\"pattern\": \"one-late\", \"width\": 0.5}",
     read_arrival},
    {"communicators", "\"world\", \"rows:R\" or \"columns:C\"",
     [](const Json& value, Request& request, Settings&) {
         request.communicators = models::parse_communicators(value.get<std::string>());
     }},
    {"peer", "a rank", into_request<&Request::peer>},
    {"link", a_string, into_request<&Request::link>},
    {"pairs", "a list of pairs of ranks or \"halves\"", read_pair_list},
    {"parameters", "an object of numbers", into_request<&Request::parameters>},
    {"overlap", "an object such as {\"test_intervals\": [0, 4096]}", read_overlap},
    {"precision", number, into_settings<&Settings::precision>},
    {"race", number, into_settings<&Settings::race>},
    {"warm_up", number, into_settings<&Settings::warm_up>},
    {"seed", number, into_settings<&Settings::seed>},
    {"min_repetitions", number, into_limits<&models::Limits::min_repetitions>},
    {"max_repetitions", number, into_limits<&models::Limits::max_repetitions>},
    {"max_seconds", number, into_limits<&models::Limits::max_seconds>},
    {"ranks", truth, into_settings<&Settings::keep_ranks>},
    {"check_results", truth, into_settings<&Settings::check_results>},
    {"reproducible", "\"any\", \"ranks-agree\" or \"same-as-default\"",
     [](const Json& value, Request&, Settings& settings) {
         settings.reproducible = models::parse_reproducible(value.get<std::string>());
     }},
};

std::string known_keys() {
    std::vector<std::string> names;
    std::transform(std::begin(keys), std::end(keys), std::back_inserter(names),
                   [](const Key& key) { return key.name; });
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Request request_from(const Json& json, Settings& settings) {
    if (!json.is_object()) {
        throw std::invalid_argument(
            "a request is a JSON object, such as {\"collective\": \"bcast\", \"bytes\": [1024]}");
    }
    Request request;
    request.algorithms = {"all"};
    for (const auto& [name, value] : json.items()) {
        const Key* key = std::find_if(std::begin(keys), std::end(keys),
                                      [&, &wanted = name](const Key& row) { return wanted == row.name; });
        if (key == std::end(keys)) {
            throw unknown_key("a request", name, known_keys());
        }
        try {
            key->read(value, request, settings);
        } catch (const Json::exception&) {
            throw bad_value(name, key->expected, value);
        }
    }
    return request;
}

}  // namespace bench

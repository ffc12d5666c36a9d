// SPDX-License-Identifier: MIT
#include "rule_names.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "algorithm_name.hpp"
#include "device_layers.hpp"
#include "plan.hpp"

namespace tuner {

namespace {

// Those of MPICH, Open MPI (in-order_binary) and their parameters
constexpr const char* algorithm_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:=";

// Of the tuning file (mpich-patches/README.md)
const std::vector<std::string>& operations_of_rules() {
    static const std::vector<std::string> all = {"built-in", "commutative", "non-commutative", "any"};
    return all;
}

bool has_control_character(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

}  // namespace

std::string network_name(const CheckedJson& json) {
    std::string name = json.text();
    if (has_control_character(name)) {
        json.fail("the name of a network has no control characters; write it again: changeover decide");
    }
    return name;
}

std::string collective_name(const CheckedJson& json) {
    return json.one_of(names_of_collectives());
}

std::string algorithm_name(const CheckedJson& json) {
    std::string name = json.text();
    // beta/binomial+release_gather:k=4
    std::string characters = algorithm_characters;
    characters += models::has_layers(name) ? "/+" : "";
    if (name.find_first_not_of(characters) != std::string::npos || name[0] == ':') {
        json.fail("the name of an algorithm has letters, digits and _-.:= only, got " +
                  json.json().dump(-1, ' ', true) + "; correct the name");
    }
    try {
        if (models::has_layers(name)) {
            models::parse_device_layers(name);
        } else {
            static_cast<void>(models::AlgorithmName(name));
        }
    } catch (const std::invalid_argument& error) {
        json.fail(error.what());
    }
    return name;
}

std::string variable_name(const CheckedJson& json) {
    std::string name = json.text();
    if (!is_name_of_variable(name)) {
        json.fail("the name of a variable has letters, digits and _ only, got " +
                  json.json().dump(-1, ' ', true) + "; correct the name");
    }
    return name;
}

std::string variable_value(const CheckedJson& json) {
    std::string value = json.text();
    if (has_control_character(value)) {
        json.fail("the value of a variable has no control characters; write it again: changeover knobs");
    }
    return value;
}

std::string operation_name(const CheckedJson& json) {
    return json.json() == "" ? "" : json.one_of(operations_of_rules());
}

void check_algorithm_values(const CheckedJson& json) {
    if (json.json().is_null()) {
        return;
    }
    for (const auto& [collective, values] : json.items()) {
        for (const auto& [algorithm, value] : values.items()) {
            value.integer(std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
        }
    }
}

void check_fingerprint(const CheckedJson& json) {
    if (json.has("library") && json.at("library").json() != "") {
        static_cast<void>(json.at("library").text());
    }
    if (json.has("networks") && json.at("networks").json() != Json::array()) {
        for (const CheckedJson& name : json.at("networks").list()) {
            static_cast<void>(network_name(name));
        }
    }
}

}  // namespace tuner

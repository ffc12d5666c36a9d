// SPDX-License-Identifier: MIT
#include "what_if.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "checked_json.hpp"
#include "error.hpp"
#include "units.hpp"

namespace tuner {

namespace {

// What people call a network by, and the parameters that it stands for (of all segments)
struct Property {
    const char* name;
    std::vector<std::string> parameters;
    bool is_rate;  // the more, the shorter the times
};
const Property properties[] = {
    {"between.bandwidth", {"between.byte", "between.opposite", "streams"}, true},
    {"between.latency", {"between.latency"}, false},
    {"between.message-rate", {"between.gap"}, true},
    {"within.bandwidth", {"within.byte", "within.opposite"}, true},
    {"within.latency", {"within.latency"}, false},
    {"within.message-rate", {"within.gap"}, true},
    {"processor", {"combine", "copy", "message.between", "message.within"}, true},
};

std::pair<std::string, std::string> parts_of(const std::string& option, const std::string& setting,
                                             const std::string& example) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) {
        throw usage_error(fmt::format("{0} {1}: '=' is missing; try: {0} {2}", option, setting, example));
    }
    return {setting.substr(0, equals), setting.substr(equals + 1)};
}

}  // namespace

void scale_parameters(models::Parameters& parameters, const std::string& setting) {
    const auto [name, value] = parts_of("--scale", setting, "between.bandwidth=4");
    const auto* property =
        std::find_if(std::begin(properties), std::end(properties),
                     [&, &wanted = name](const Property& row) { return row.name == wanted; });
    if (property == std::end(properties)) {
        std::vector<std::string> names;
        for (const Property& row : properties) {
            names.emplace_back(row.name);
        }
        throw usage_error(fmt::format("--scale {}: '{}' is no property of a network; {}", setting, name,
                                      suggestion(name, names)));
    }
    std::size_t end = 0;
    double factor = 0;
    try {
        factor = std::stod(value, &end);
    } catch (const std::exception&) {
        end = 0;
    }
    if (end == 0 || end != value.size() || !(factor > 0) || !std::isfinite(factor)) {
        throw usage_error(
            fmt::format("--scale {}: '{}' is not a factor; give a number above 0", setting, value));
    }
    for (const std::string& parameter : parameters.names()) {
        for (const std::string& start : property->parameters) {
            if (parameter == start || parameter.starts_with(start + ".")) {
                parameters.at(parameter) *= property->is_rate ? 1 / factor : factor;
            }
        }
    }
}

void set_parameter(models::Parameters& parameters, const std::string& setting) {
    const auto [name, value] = parts_of("--set", setting, "between.latency=90us");
    try {
        parameters.at(name) = parse_seconds(value);
    } catch (const std::out_of_range&) {
        throw usage_error("--set " + setting + ": there is no parameter '" + name + "'; " +
                          suggestion(name, parameters.names()));
    }
}

}  // namespace tuner

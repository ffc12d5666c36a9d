// SPDX-License-Identifier: MIT
#include "config_to_emit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collectives.hpp"
#include "device_layers.hpp"
#include "device_rules.hpp"
#include "error.hpp"
#include "mpi_library.hpp"
#include "planned_collective.hpp"
#include "schedule.hpp"

namespace tuner {

namespace {

std::string without_parameters(std::string_view algorithm) {
    return std::string(algorithm.substr(0, algorithm.find(':')));
}

// Why no library should get the rule; empty: it may
std::string unknown_name(const Config& config, const Rule& rule) {
    const std::vector<std::string> collectives = names_of_collectives();
    if (std::find(collectives.begin(), collectives.end(), rule.collective) == collectives.end()) {
        return fmt::format("there is no collective '{}'; {}", rule.collective,
                           suggestion(rule.collective, collectives));
    }
    if (models::has_layers(rule.algorithm)) {
        return problem_with_layers(config, rule);
    }
    const std::vector<std::string> names = algorithms_of_library(config, rule.collective);
    const std::string name = without_parameters(rule.algorithm);
    const bool is_known = names.empty() || std::binary_search(names.begin(), names.end(), name);
    return is_known
               ? ""
               : fmt::format("{} has no algorithm '{}'; {}", rule.collective, name, suggestion(name, names));
}

}  // namespace

std::vector<std::string> algorithms_of_library(const Config& config, const std::string& collective) {
    std::vector<std::string> names;
    for (const models::Algorithm& algorithm : models::algorithms(library_of(config).models)) {
        if (models::is_for(algorithm, collective)) {
            names.push_back(without_parameters(algorithm.name));
        }
    }
    if (config.algorithm_values.contains(collective)) {
        for (const auto& [name, value] : config.algorithm_values.at(collective).items()) {
            names.push_back(without_parameters(name));
        }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

ConfigToEmit checked_to_emit(Config config, const std::string& file, bool accept_edited) {
    ConfigToEmit checked{std::move(config), {}};
    Config& rules = checked.config;
    for (std::size_t i = 0; i < rules.rules.size(); ++i) {
        if (const std::string problem = unknown_name(rules, rules.rules[i]); !problem.empty()) {
            throw usage_error(fmt::format("{}, rules[{}]: {}", file, i, problem));
        }
    }
    if (is_simulated(rules)) {
        checked.warnings.push_back(
            file +
            ": the rules are those of a simulation; measure them on the real machine before jobs use them");
    }
    const bool is_edited = !rules.checksum.empty() && rules.checksum != checksum_of(rules.rules);
    if (is_edited && !accept_edited) {
        throw usage_error(fmt::format(
            "{}: the checksum does not match the rules: the file was edited or is damaged; write it "
            "again with 'changeover verify', or emit the edited rules with --accept-edited",
            file));
    }
    if (is_edited) {
        rules.verified = false;
        checked.warnings.push_back(file + ": the rules were edited and are not verified");
    } else if (!rules.verified) {
        checked.warnings.push_back(
            file + ": the rules were not verified against the default; run 'changeover verify'");
    }
    return checked;
}

ConfigToEmit read_config_to_emit(const std::string& file, bool accept_edited) {
    return checked_to_emit(read_config(file), file, accept_edited);
}

}  // namespace tuner

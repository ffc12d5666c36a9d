// SPDX-License-Identifier: MIT
#include "device_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "algorithm_name.hpp"
#include "checked_json.hpp"
#include "collectives.hpp"
#include "config_to_emit.hpp"
#include "device_layers.hpp"
#include "emit.hpp"
#include "error.hpp"

namespace tuner {

namespace {

constexpr const char* in_node = "in-node";
constexpr const char* between_nodes = "between-nodes";
constexpr std::size_t bytes_after_barrier = 1;  // of the bcast that ends a composed barrier

Json with_algorithm(Json rule, const std::string& algorithm, const Json& parameters) {
    // before what the library does not read
    const Json info = rule.contains("info") ? rule.at("info") : Json();
    rule.erase("info");
    rule["algorithm"] = algorithm;
    if (!parameters.empty()) {
        rule["parameters"] = parameters;
    }
    if (!info.is_null()) {
        rule["info"] = info;
    }
    return rule;
}

// What the library takes; it refuses a whole file for one that it does not
struct ParameterRange {
    const char* name;
    std::int64_t least;
    std::int64_t most;
};
constexpr std::array release_gather_numbers = {ParameterRange{"k", 2, std::numeric_limits<int>::max()},
                                               ParameterRange{"buffer_size", 8192, 1 << 28},
                                               ParameterRange{"cells", 2, 8}};

std::string problem_with_parameters(const Json& parameters) {
    for (const auto& parameter : parameters.items()) {
        if (parameter.key() == "tree_type") {
            continue;
        }
        const auto* row =
            std::find_if(release_gather_numbers.begin(), release_gather_numbers.end(),
                         [&](const ParameterRange& number) { return parameter.key() == number.name; });
        if (row == release_gather_numbers.end()) {
            return fmt::format(
                "release_gather has no parameter '{}'; it has k, tree_type, buffer_size, cells",
                parameter.key());
        }
        const auto number = parameter.value().get<std::int64_t>();
        if (number < row->least || number > row->most) {
            return fmt::format("{} of release_gather is {}; it may be {} to {}", parameter.key(), number,
                               row->least, row->most);
        }
    }
    return "";
}

Json parameters_of(const models::DeviceLayers& layers) {
    std::string name = models::release_gather;
    for (const auto& [key, value] : layers.parameters) {
        name += ":" + key + "=" + value;
    }
    return parameters_for_library(name);
}

// The same conditions, for the collective that is a part of the rule's
Json part_of(const Json& written, const std::string& collective, const char* part) {
    Json rule = written;
    const bool had_size = rule.contains("bytes");
    rule["collective"] = collective;
    if (part != nullptr) {
        rule["part"] = part;
        rule["of"] = written.at("collective");
    }
    if (!models::find_collective(collective)->combines) {
        rule.erase("operation");
    }
    if (collective == "bcast" && !had_size) {
        rule["bytes"] = bytes_after_barrier;
    }
    return rule;
}

bool may_share_nodes(const LayoutRange& where) {
    return where.ppn.last > 1;
}

std::vector<SectionRule> composed(const Rule& rule, const Json& written) {
    const models::DeviceLayers layers = models::parse_device_layers(rule.algorithm);
    const models::Composition* composition = models::find_composition(rule.collective, layers.composition);
    std::vector<SectionRule> rules = {{"ch4", with_algorithm(written, layers.composition, Json())}};
    for (const char* collective : composition->in_node) {
        const char* part = composition->only_one_node ? nullptr : in_node;
        rules.push_back({"posix", with_algorithm(part_of(written, collective, part), layers.in_node,
                                                 parameters_of(layers))});
        const bool sends_in_node = layers.in_node == models::by_messages && collective == rule.collective;
        if (sends_in_node && !layers.between.empty()) {
            rules.push_back(
                {"mpir", with_algorithm(part_of(written, collective, part), layers.between, Json())});
        }
    }
    if (!layers.between.empty()) {
        rules.push_back({"mpir", with_algorithm(part_of(written, rule.collective, between_nodes),
                                                layers.between, Json())});
    }
    return rules;
}

}  // namespace

bool composes(const Config& config) {
    return config.library.find("MPICH Device: ch4:") != std::string::npos &&
           reads_tuning_files(config.library);
}

std::string problem_with_layers(const Config& config, const Rule& rule) {
    try {
        const models::DeviceLayers layers = models::parse_device_layers(rule.algorithm);
        const models::Composition* composition =
            models::find_composition(rule.collective, layers.composition);
        if (composition == nullptr) {
            return fmt::format("{} has no composition '{}' with parts inside of nodes", rule.collective,
                               layers.composition);
        }
        if (!composes(config)) {
            return "only ch4 devices of MPICH with the changeover patches compose collectives";
        }
        const bool is_one_node = rule.where.nodes.last == 1;
        const models::NodesOfRanks largest = {is_one_node ? 1 : 2, rule.where.ppn.last > 1 ? 2 : 1};
        if (const auto problem = models::problem_with(*composition, layers.in_node, largest, true)) {
            return fmt::format("the composition {} {}", layers.composition, *problem);
        }
        const std::vector<std::string> names = algorithms_of_library(config, rule.collective);
        if (!layers.between.empty() && !std::binary_search(names.begin(), names.end(), layers.between)) {
            return fmt::format("{} has no algorithm '{}' between nodes; {}", rule.collective, layers.between,
                               suggestion(layers.between, names));
        }
        return problem_with_parameters(parameters_of(layers));
    } catch (const std::invalid_argument& error) {
        return error.what();
    } catch (const Error& error) {
        return error.what();
    }
}

std::vector<SectionRule> rules_by_layer(const Config& config, const Rule& rule, const Json& written) {
    if (models::has_layers(rule.algorithm)) {
        return composed(rule, written);
    }
    std::vector<SectionRule> rules = {
        {"mpir", with_algorithm(written, models::AlgorithmName(rule.algorithm).algorithm,
                                parameters_for_library(rule.algorithm))}};
    const std::string flat = models::flat_composition(rule.collective);
    if (composes(config) && !flat.empty() && may_share_nodes(rule.where)) {
        rules.insert(rules.begin(), {"ch4", with_algorithm(written, flat, Json())});
    }
    return rules;
}

std::vector<std::string> layers_of(const Config& config, const Rule& rule, const Layout& layout) {
    if (!models::has_layers(rule.algorithm)) {
        const std::string flat = models::flat_composition(rule.collective);
        if (!composes(config) || flat.empty() || layout.ppn < 2) {
            return {};
        }
        return {fmt::format("ch4: {}, all ranks alike", flat), "mpir: " + rule.algorithm};
    }
    const models::DeviceLayers layers = models::parse_device_layers(rule.algorithm);
    std::string inside = layers.in_node;
    for (const auto& [key, value] : layers.parameters) {
        inside += fmt::format(", {} {}", key, value);
    }
    std::vector<std::string> lines = {
        fmt::format("ch4: {}, parts inside of nodes and between them", layers.composition),
        fmt::format("posix: {}, inside of nodes", inside)};
    if (layout.nodes > 1) {
        lines.push_back(fmt::format("mpir: {}, between nodes",
                                    layers.between.empty() ? "as the library selects" : layers.between));
    }
    return lines;
}

}  // namespace tuner

// SPDX-License-Identifier: MIT
#include "device_layers.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "algorithm_name.hpp"

namespace models {

namespace {

const std::array all_compositions = {
    Composition{"barrier", "alpha", {"barrier", "bcast"}, true},
    Composition{"bcast", "alpha", {"bcast"}, true},
    Composition{"bcast", "beta", {"bcast"}, true},
    Composition{"reduce", "alpha", {"reduce"}, true, false, true},
    Composition{"reduce", "beta", {"reduce"}, true, false, true},
    Composition{"allreduce", "alpha", {"reduce", "bcast"}, true, false, true},
    Composition{"allreduce", "gamma", {"allreduce"}, false, true, false},
};

constexpr std::array flat = {std::pair{"barrier", "beta"}, std::pair{"bcast", "gamma"},
                             std::pair{"reduce", "gamma"}, std::pair{"allreduce", "beta"},
                             std::pair{"scan", "beta"}};

constexpr std::array offered_trees = {"kary", "knomial_1"};  // knomial_2 has the same shape as knomial_1
constexpr std::array offered_ks = {2, 4, 8};

bool is_in_node(const std::string& name) {
    return name == release_gather || name == by_messages;
}

// Of all those that were asked for: the same but for the layer that `differs` compares
template <class Differs>
bool was_varied(const DeviceLayers& best, std::span<const std::string> asked, Differs differs) {
    return std::any_of(asked.begin(), asked.end(), [&](const std::string& name) {
        if (!has_layers(name)) {
            return false;
        }
        const DeviceLayers other = parse_device_layers(name);
        return other.composition == best.composition && other.in_node == best.in_node && differs(other);
    });
}

std::vector<std::string> other_trees(DeviceLayers layers, const NodesOfRanks& where) {
    std::vector<std::string> names;
    for (const char* tree : offered_trees) {
        for (const int k : offered_ks) {
            if (k < where.most_ranks) {
                layers.parameters = {{"tree_type", tree}, {"k", std::to_string(k)}};
                names.push_back(to_string(layers));
            }
        }
    }
    return names;
}

}  // namespace

bool has_layers(std::string_view algorithm) {
    return algorithm.find('+') != std::string_view::npos && !algorithm.starts_with("mockup:");
}

DeviceLayers parse_device_layers(const std::string& name) {
    AlgorithmName parts(name);
    const std::size_t plus = parts.algorithm.find('+');
    const std::size_t slash = parts.algorithm.find('/');
    const std::string upper = parts.algorithm.substr(0, plus);
    DeviceLayers layers;
    layers.composition = upper.substr(0, slash);
    layers.between = slash < plus ? upper.substr(slash + 1) : "";
    layers.in_node = plus == std::string::npos ? "" : parts.algorithm.substr(plus + 1);
    layers.parameters = std::move(parts.parameters);
    if (layers.composition.empty() || !is_in_node(layers.in_node) ||
        (slash < plus && layers.between.empty())) {
        throw std::invalid_argument(
            "'" + name +
            "' is not COMPOSITION[/ALGORITHM]+release_gather or ...+mpir; for example "
            "beta/binomial+release_gather:k=4");
    }
    if (layers.in_node == by_messages && !layers.parameters.empty()) {
        throw std::invalid_argument("'" + name + "': only release_gather has parameters; remove them");
    }
    return layers;
}

std::string to_string(const DeviceLayers& layers) {
    std::string text =
        layers.composition + (layers.between.empty() ? "" : "/" + layers.between) + "+" + layers.in_node;
    for (const auto& [name, value] : layers.parameters) {
        text.append(":").append(name).append("=").append(value);
    }
    return text;
}

bool is_variation(const std::string& algorithm) {
    return has_layers(algorithm) &&
           (algorithm.find('/') != std::string::npos || algorithm.find(':') != std::string::npos);
}

bool is_what_ran(const std::string& name, const std::string& used) {
    if (!has_layers(name) || !has_layers(used)) {
        return name == used;
    }
    const DeviceLayers wanted = parse_device_layers(name);
    DeviceLayers ran;
    try {
        ran = parse_device_layers(used);
    } catch (const std::invalid_argument&) {
        return false;  // its parts inside of nodes used several ways
    }
    return wanted.composition == ran.composition && wanted.in_node == ran.in_node &&
           (wanted.between.empty() || ran.between.empty() || wanted.between == ran.between) &&
           (ran.parameters.empty() ||
            std::all_of(wanted.parameters.begin(), wanted.parameters.end(), [&](const auto& parameter) {
                return std::find(ran.parameters.begin(), ran.parameters.end(), parameter) !=
                       ran.parameters.end();
            }));
}

std::span<const Composition> compositions() {
    return all_compositions;
}

const Composition* find_composition(std::string_view collective, std::string_view name) {
    const auto* found = std::find_if(
        all_compositions.begin(), all_compositions.end(),
        [&](const Composition& row) { return row.collective == collective && row.name == name; });
    return found == all_compositions.end() ? nullptr : found;
}

std::string flat_composition(std::string_view collective) {
    const auto* found =
        std::find_if(flat.begin(), flat.end(), [&](const auto& row) { return row.first == collective; });
    return found == flat.end() ? "" : found->second;
}

std::optional<std::string> problem_with(const Composition& composition, const std::string& in_node,
                                        const NodesOfRanks& where, bool is_commutative) {
    if (where.most_ranks < 2) {
        return "needs several ranks on a node";
    }
    if (composition.only_one_node && where.nodes > 1) {
        return "needs all ranks on one node";
    }
    if (composition.only_commutative && !is_commutative) {
        return "needs an operation that commutes";
    }
    if (in_node == by_messages && where.nodes == 1) {
        return "by messages is one of the algorithms for all ranks, on one node; name that";
    }
    return std::nullopt;
}

std::vector<std::string> first_layers(std::string_view collective, const NodesOfRanks& where) {
    std::vector<std::string> names;
    for (const Composition& composition : all_compositions) {
        for (const char* in_node : {release_gather, by_messages}) {
            if (composition.collective == collective && !problem_with(composition, in_node, where, true)) {
                names.push_back(to_string({composition.name, "", in_node}));
            }
        }
    }
    return names;
}

std::vector<std::string> next_layers(const std::string& best, std::span<const std::string> asked,
                                     std::span<const std::string> messages, const NodesOfRanks& where) {
    const DeviceLayers layers = parse_device_layers(best);
    const auto has_parameters = [](const DeviceLayers& other) { return !other.parameters.empty(); };
    if (layers.in_node == release_gather && !was_varied(layers, asked, has_parameters)) {
        if (std::vector<std::string> names = other_trees(layers, where); !names.empty()) {
            return names;
        }
    }
    const auto has_between = [](const DeviceLayers& other) { return !other.between.empty(); };
    std::vector<std::string> names;
    if (where.nodes > 1 && !was_varied(layers, asked, has_between)) {
        for (const std::string& algorithm : messages) {
            DeviceLayers next = layers;
            next.between = algorithm;
            names.push_back(to_string(next));
        }
    }
    return names;
}

}  // namespace models

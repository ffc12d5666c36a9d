// SPDX-License-Identifier: MIT
#include "stock_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <regex>
#include <stdexcept>
#include <vector>

#include "error.hpp"
#include "schedule.hpp"
#include "sizes.hpp"

namespace tuner {

extern const char* const mpich_tree;

namespace {

// Seen in the trees inside of 4.0.2, 4.2.1 and 5.0.2, and in jobs of these
constexpr std::array targets = {
    StockTarget{"4.0", false, false, true, false}, StockTarget{"4.1", true, false, true, false},
    StockTarget{"4.2", true, true, true, false},   StockTarget{"4.3", true, true, true, true},
    StockTarget{"5.0", true, true, false, true},
};

using Parameters = std::vector<std::pair<std::string, std::string>>;

const Parameters radix = {{"k", "2"}};
const Parameters radix_and_receives = {{"k", "2"}, {"single_phase_recv", "0"}};

Parameters with_topology(Parameters parameters) {  // looked at by other trees than kary and knomial
    parameters.insert(parameters.end(), {{"topo_overhead", "200"},
                                         {"topo_diff_groups", "2800"},
                                         {"topo_diff_switches", "1900"},
                                         {"topo_same_switches", "1600"}});
    return parameters;
}

const LaterAlgorithm later_algorithms[] = {
    {"barrier", "k_dissemination", "4.1", 0, radix},
    {"barrier", "recexch", "4.1", 0, radix_and_receives},
    {"bcast", "tree", "4.1", 0, with_topology({{"tree_type", "kary"}, {"k", "2"}, {"is_non_blocking", "1"}})},
    {"bcast",
     "pipelined_tree",
     "4.1",
     0,
     {{"tree_type", "kary"},
      {"k", "2"},
      {"is_non_blocking", "1"},
      {"chunk_size", "8Ki"},
      {"recv_pre_posted", "0"}}},
    {"allgather", "k_brucks", "4.1", 0, radix},
    {"allgather", "recexch_doubling", "4.1", 0, radix_and_receives},
    {"allgather", "recexch_halving", "4.1", 0, radix_and_receives},
    {"alltoall", "k_brucks", "4.1", 0, radix},
    {"allreduce", "tree", "4.1", models::commutative_operation,
     with_topology({{"buffer_per_child", "0"}, {"k", "2"}, {"tree_type", "knomial_1"}, {"chunk_size", "0"}})},
    {"allreduce", "recexch", "4.1", models::commutative_operation, radix_and_receives},
    {"allreduce", "ring", "4.1", models::commutative_operation, {}},
    {"allreduce", "k_reduce_scatter_allgather", "4.1",
     models::commutative_operation | models::element_for_each_rank, radix_and_receives},
    {"allreduce", "recursive_multiplying", "4.3", models::commutative_operation, radix},
};

constexpr std::array trees = {"kary", "knomial_1", "knomial_2"};  // by their numbers

bool is_tree(const std::string& value) {
    return std::find(trees.begin(), trees.end(), value) != trees.end();
}

bool can_have(const LaterAlgorithm& algorithm, const std::string& parameter, const std::string& value) {
    const bool is_there = std::any_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                                      [&](const auto& pair) { return pair.first == parameter; });
    if (!is_there || parameter == "tree_type") {
        return is_there && is_tree(value);
    }
    try {
        return models::parse_size(value) <= static_cast<std::size_t>(std::numeric_limits<int>::max());
    } catch (const std::invalid_argument&) {
        return false;
    }
}

std::string full_name(const std::string& collective, const std::string& algorithm) {
    std::string name = fmt::format("{}_intra_{}", collective, algorithm);
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return "MPIR_" + name;
}

const std::string dissemination = "algorithm=MPIR_Barrier_intra_dissemination";

Json k_dissemination() {
    return {{"algorithm=MPIR_Barrier_intra_k_dissemination", {{"k=2", Json::object()}}}};
}

void rename_in(Json& tree) {
    for (auto& [key, subtree] : tree.items()) {
        if (subtree.contains(dissemination)) {
            subtree = k_dissemination();
        } else {
            rename_in(subtree);
        }
    }
}

}  // namespace

std::span<const StockTarget> stock_targets() {
    return targets;
}

const StockTarget& find_stock_target(const std::string& name) {
    std::vector<std::string> names;
    for (const StockTarget& target : targets) {
        if (name == target.name || name.starts_with(target.name + std::string("."))) {
            return target;
        }
        names.emplace_back(target.name);
    }
    throw usage_error(fmt::format("there is no target '{}'; it may be {}", name, fmt::join(names, ", ")));
}

const StockTarget& stock_target_of(const std::string& library) {
    static const std::regex version("MPICH Version: *([0-9]+\\.[0-9]+)");
    std::smatch found;
    if (std::regex_search(library, found, version)) {
        for (const StockTarget& target : targets) {
            if (found[1] == target.name) {
                return target;
            }
        }
    }
    return targets.front();
}

Json tree_of(const StockTarget& target) {
    Json tree = Json::parse(mpich_tree, nullptr, true, true);
    if (target.has_k_dissemination) {
        rename_in(tree);
    }
    return tree;
}

const LaterAlgorithm* find_later_algorithm(const StockTarget& target, const std::string& collective,
                                           const models::AlgorithmName& name) {
    for (const LaterAlgorithm& row : later_algorithms) {
        if (collective == row.collective && name.algorithm == row.name &&
            std::string_view(row.since) <= target.name &&
            std::all_of(name.parameters.begin(), name.parameters.end(), [&](const auto& parameter) {
                return can_have(row, parameter.first, parameter.second);
            })) {
            return &row;
        }
    }
    return nullptr;
}

std::string leaf_key(const StockTarget& target, const std::string& parameter, const std::string& value) {
    const auto* tree = std::find(trees.begin(), trees.end(), value);
    if (tree == trees.end()) {
        return fmt::format("{}={}", parameter, models::parse_size(value));
    }
    return target.names_trees ? fmt::format("{}={}", parameter, value)
                              : fmt::format("{}={}", parameter, tree - trees.begin());
}

Json algorithm_leaf(const StockTarget& target, const std::string& collective, const std::string& algorithm) {
    if (target.has_k_dissemination && collective == "barrier" && algorithm == "dissemination") {
        return k_dissemination();
    }
    const models::AlgorithmName name(algorithm);
    Json parameters = Json::object();
    if (const LaterAlgorithm* later = find_later_algorithm(target, collective, name)) {
        for (const auto& [parameter, by_default] : later->parameters) {
            const auto chosen = std::find_if(name.parameters.begin(), name.parameters.end(),
                                             [&](const auto& pair) { return pair.first == parameter; });
            const std::string& value = chosen == name.parameters.end() ? by_default : chosen->second;
            parameters[leaf_key(target, parameter, value)] = Json::object();
        }
    }
    return {{"algorithm=" + full_name(collective, name.algorithm), std::move(parameters)}};
}

}  // namespace tuner

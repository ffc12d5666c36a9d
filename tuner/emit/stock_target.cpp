// SPDX-License-Identifier: MIT
#include "stock_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <vector>

#include "error.hpp"

namespace tuner {

extern const char* const mpich_tree;

namespace {

// Seen in the trees inside of 4.0.2, 4.2.1 and 5.0.2, and in jobs of these
constexpr std::array targets = {
    StockTarget{"4.0", false, false, true}, StockTarget{"4.1", true, false, true},
    StockTarget{"4.2", true, true, true},   StockTarget{"4.3", true, true, true},
    StockTarget{"5.0", true, true, false},
};

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

Json algorithm_leaf(const StockTarget& target, const std::string& collective, const std::string& algorithm) {
    if (target.has_k_dissemination && collective == "barrier" && algorithm == "dissemination") {
        return k_dissemination();
    }
    return {{"algorithm=" + full_name(collective, algorithm), Json::object()}};
}

}  // namespace tuner

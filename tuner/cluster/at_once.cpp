// SPDX-License-Identifier: MIT
#include "at_once.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error.hpp"

namespace tuner {

namespace {

// Nodes are numbered in the order of their first rank in the communicator
models::RankPlacement placement_of_part(const std::vector<int>& ranks, const models::RankPlacement& job) {
    std::vector<int> nodes;
    std::vector<int> node_of_rank;
    for (const int rank : ranks) {
        const int node = job.node_of_rank[static_cast<std::size_t>(rank)];
        const auto found = std::find(nodes.begin(), nodes.end(), node);
        node_of_rank.push_back(static_cast<int>(found - nodes.begin()));
        if (found == nodes.end()) {
            nodes.push_back(node);
        }
    }
    return models::RankPlacement(node_of_rank);
}

}  // namespace

std::optional<Layout> layout_of_each(const models::Communicators& communicators, const Layout& job) {
    if (!models::problem_with(communicators, job.ranks()).empty()) {
        return std::nullopt;
    }
    const models::RankPlacement placement = placement_of(job);
    std::optional<Layout> common;
    for (int which = 0; which < communicators.count; ++which) {
        const std::optional<Layout> layout =
            layout_of(placement_of_part(models::ranks_of(communicators, which, job.ranks()), placement));
        if (!layout || (common && common != layout)) {
            return std::nullopt;
        }
        common = layout;
    }
    return common;
}

void measure_at_once(const std::vector<models::Communicators>& ways, Cluster& cluster) {
    if (std::none_of(ways.begin(), ways.end(), [](const auto& way) { return way.are_parts(); })) {
        return;
    }
    std::vector<Layout> jobs = cluster.layouts;
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const Layout& a, const Layout& b) { return a.ranks() > b.ranks(); });
    std::vector<Layout> layouts;
    cluster.at_once.clear();
    for (const models::Communicators& way : ways) {
        for (const Layout& job : jobs) {
            const std::optional<Layout> layout = layout_of_each(way, job);
            if (!layout || std::find(layouts.begin(), layouts.end(), *layout) != layouts.end()) {
                continue;
            }
            layouts.push_back(*layout);
            if (way.are_parts()) {
                cluster.at_once.push_back({*layout, job, models::to_string(way)});
            }
        }
    }
    if (cluster.at_once.empty()) {
        throw usage_error(
            "none of the layouts can be divided into the communicators of the plan such that all have one "
            "layout; "
            "change \"communicators\" in the plan, or \"layouts\" in the cluster file");
    }
    cluster.layouts = layouts;
    cluster.chooses_layouts = false;
}

std::string to_string(const AtOnce& part) {
    return fmt::format("{}: {} of jobs of {}", to_string(part.layout), part.communicators,
                       to_string(part.job));
}

}  // namespace tuner

// SPDX-License-Identifier: MIT
#include "exchange_questions.hpp"

#include <algorithm>
#include <cmath>

#include "link_questions.hpp"

namespace tuner {

namespace {

constexpr double warm_up_calls = 6;    // as the benchmark does
constexpr std::size_t most_tries = 2;  // of a size at which all ways failed

bool belongs_to(const CaseRecord& record, const std::string& network, const Layout& layout,
                const std::string& label) {
    return record.stage == Stage::exchange && record.exchange == label && record.network == network &&
           record.layout == layout;
}

// What one repetition takes, all that belongs to it included
double repetition_seconds(const CaseRecord& record) {
    return record.seconds_spent / (static_cast<double>(record.samples_seconds.size()) + warm_up_calls);
}

// What the journal has of one size
struct KnownSize {
    bool is_over = false;   // it was measured, or failed often enough
    std::size_t cases = 0;  // of the last group
    double slowest_repetition = 0;
};

KnownSize known_of(const RunData& run, const std::string& network, const Layout& layout,
                   const std::string& label, std::size_t bytes) {
    KnownSize known;
    std::map<std::uint64_t, std::size_t> groups;
    for (const CaseRecord& record : run.cases) {
        if (record.bytes == bytes && belongs_to(record, network, layout, label)) {
            known.is_over = known.is_over || record.status != Status::crashed;
            known.cases = ++groups[record.group];
            known.slowest_repetition = std::max(known.slowest_repetition, repetition_seconds(record));
        }
    }
    known.is_over = known.is_over || groups.size() >= most_tries;
    return known;
}

}  // namespace

std::vector<Layout> layouts_of(const PlannedExchange& exchange, const Cluster& cluster) {
    if (!exchange.link.empty()) {
        const std::optional<Layout> layout = layout_for(
            cluster, exchange.link == to_string(Link::within_node) ? Link::within_node : Link::between_nodes);
        return layout ? std::vector<Layout>{*layout} : std::vector<Layout>();
    }
    std::vector<Layout> layouts = cluster.layouts;
    if (exchange.name == "local_call" && layouts.size() > 1) {
        layouts.resize(1);
    }
    return layouts;
}

std::vector<std::size_t> sizes_of(const PlannedExchange& exchange, double size_step) {
    std::vector<std::size_t> sizes = {exchange.min_bytes};
    for (double exact = size_step * static_cast<double>(exchange.min_bytes);
         exact < static_cast<double>(exchange.max_bytes); exact *= size_step) {
        if (const auto bytes = static_cast<std::size_t>(std::lround(exact)); bytes > sizes.back()) {
            sizes.push_back(bytes);
        }
    }
    if (exchange.max_bytes > sizes.back()) {
        sizes.push_back(exchange.max_bytes);
    }
    return sizes;
}

std::optional<Group> next_exchange_case(const RunData& run, const Plan& plan, const PlannedExchange& exchange,
                                        const std::string& network, const Layout& layout) {
    const std::string label = label_of(exchange);
    auto cases = static_cast<double>(cases_of_size(exchange));  // as long as no size says more
    double slowest = 0;                                         // repetition
    std::size_t last_bytes = 0;
    for (const std::size_t bytes : sizes_of(exchange, plan.size_step)) {
        const KnownSize known = known_of(run, network, layout, label, bytes);
        if (known.is_over) {
            cases = static_cast<double>(known.cases);
            slowest = known.slowest_repetition;
            last_bytes = bytes;
            continue;
        }
        // a short repetition does not get longer in proportion to the size; where it is long, it does
        const double growth =
            last_bytes == 0 ? 1 : static_cast<double>(bytes) / static_cast<double>(last_bytes);
        const double least_seconds = cases * (plan.min_repetitions + warm_up_calls) * slowest * growth;
        if (least_seconds > longest_group_seconds) {
            return std::nullopt;
        }
        Group group;
        group.stage = Stage::exchange;
        group.collective.name = exchange.name;
        group.collective.datatype = exchange.datatype;
        group.collective.operation = exchange.operation;
        group.bytes = bytes;
        group.algorithms = exchange.ways;
        group.limits.precision = plan.precision;
        group.limits.min_repetitions = plan.min_repetitions;
        group.limits.max_seconds = plan.case_seconds;
        group.limits.expected_seconds = cases * plan.case_seconds + least_seconds;
        group.exchange.link = exchange.link;
        group.exchange.parameters = exchange.parameters;
        group.exchange.all_pairs = exchange.all_pairs;
        group.exchange.overlap = exchange.overlap;
        group.exchange.label = label;
        return group;
    }
    return std::nullopt;
}

}  // namespace tuner

// SPDX-License-Identifier: MIT
// The exchanges of a plan: where each is measured, what to ask for next, and what was measured as curves. As
// with all cases, the next question follows from the journal alone, so a killed run goes on where it was.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runner.hpp"
#include "statistics.hpp"

namespace tuner {

// Layouts of the cluster on which an exchange is measured: those of two ranks and local calls on one, as
// layout_for says, all others on each.
std::vector<Layout> layouts_of(const PlannedExchange& exchange, const Cluster& cluster);

std::vector<std::size_t> sizes_of(const PlannedExchange& exchange, double size_step);

// Nothing when all is known, or when the next size would take too long: all ways together at most
inline constexpr double longest_group_seconds = 8;
std::optional<Group> next_exchange_case(const RunData& run, const Plan& plan, const PlannedExchange& exchange,
                                        const std::string& network, const Layout& layout);

struct ExchangeKey {
    std::string network;
    Layout layout;
    std::string exchange;  // its label in the plan
    std::string way;       // variant or algorithm; of overlap, also how it was measured
    auto operator<=>(const ExchangeKey&) const = default;
};

// What was measured at one size
struct ExchangePoint {
    double median_seconds = 0;
    models::Interval interval = {0, 0};
    std::map<std::string, double> values = {};  // by the benchmark's names: half_us, megabytes_per_s ...
    std::vector<double> sorted_seconds = {};
};

using ExchangeCurve = std::map<std::size_t, ExchangePoint>;  // by size
using ExchangeCurves = std::map<ExchangeKey, ExchangeCurve>;

ExchangeCurves exchange_curves(const RunData& run);

}  // namespace tuner

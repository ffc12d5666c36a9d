// SPDX-License-Identifier: MIT
// The exchanges of a run as curves: the median of each size, by network, layout, exchange and way.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "journal.hpp"
#include "statistics.hpp"

namespace tuner {

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

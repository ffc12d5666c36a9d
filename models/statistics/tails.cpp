// SPDX-License-Identifier: MIT
#include "tails.hpp"

#include <algorithm>

#include "statistics.hpp"

namespace models {

namespace {

constexpr double shortest_time_out_seconds = 0.2;
constexpr int doublings = 7;  // 25.6 s: by then a job has been given up
// About that place: a timer may fire a tick early, and comes late by a round trip and its variation
constexpr double early = 0.97;
constexpr double late = 1.2;
constexpr double far_out = 3;  // interquartile ranges, as in statistics: outliers

}  // namespace

bool is_like_time_out(double seconds_above_median) {
    double wait = shortest_time_out_seconds;
    double sum = wait;
    for (int k = 0; k <= doublings; ++k) {
        for (const double place : {wait, sum}) {
            if (seconds_above_median >= early * place && seconds_above_median <= late * place) {
                return true;
            }
        }
        wait *= 2;
        sum += wait;
    }
    return false;
}

Tail tail_of(std::span<const double> sorted) {
    const double middle = median(sorted);
    const double q3 = quantile(sorted, 0.75);
    const double outside = q3 + far_out * (q3 - quantile(sorted, 0.25));
    std::array<double, far_factors.size()> shares_beyond{};
    std::transform(far_factors.begin(), far_factors.end(), shares_beyond.begin(), [&](double factor) {
        const auto above = std::upper_bound(sorted.begin(), sorted.end(), factor * sorted.front());
        return static_cast<double>(sorted.end() - above) / static_cast<double>(sorted.size());
    });
    const auto suspects = std::count_if(std::upper_bound(sorted.begin(), sorted.end(), outside), sorted.end(),
                                        [&](double seconds) { return is_like_time_out(seconds - middle); });
    return {sorted.size(),          sorted.front(), middle,        quantile(sorted, 0.9),
            quantile(sorted, 0.99), sorted.back(),  shares_beyond, static_cast<std::size_t>(suspects)};
}

}  // namespace models

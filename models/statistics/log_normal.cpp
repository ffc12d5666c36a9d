// SPDX-License-Identifier: MIT
#include "log_normal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "statistics.hpp"

namespace models {

namespace {

constexpr double low_probability = 0.1;
constexpr double normal_quantile = 1.2815515655446004;  // of 1 - low_probability
constexpr double nearly = 1 - 1e-6;                     // what is above the shift must be above zero

// (m - s)^2 = (low - s) (high - s), solved for s. Without a tail to the right there is no shift.
double shift_of(double low, double middle, double high, double smallest) {
    const double skew = low + high - 2 * middle;
    if (skew <= 0) {
        return 0;
    }
    return std::clamp((low * high - middle * middle) / skew, 0.0, nearly * smallest);
}

}  // namespace

double LogNormal::probability_below(double seconds) const {
    if (seconds <= shift) {
        return 0;
    }
    return 0.5 * std::erfc(-std::log((seconds - shift) / median) / sigma / std::numbers::sqrt2);
}

std::optional<LogNormal> fit_log_normal(std::span<const double> sorted) {
    if (sorted.size() < fewest_for_log_normal) {
        return std::nullopt;
    }
    const double low = quantile(sorted, low_probability);
    const double middle = median(sorted);
    const double high = quantile(sorted, 1 - low_probability);
    if (!(low > 0 && high > low)) {
        return std::nullopt;
    }
    LogNormal fit{};
    fit.shift = shift_of(low, middle, high, sorted.front());
    fit.median = middle - fit.shift;
    fit.sigma = std::log((high - fit.shift) / (low - fit.shift)) / (2 * normal_quantile);
    const auto n = static_cast<double>(sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const double below = fit.probability_below(sorted[i]);
        fit.distance = std::max({fit.distance, std::abs(below - static_cast<double>(i) / n),
                                 std::abs(below - static_cast<double>(i + 1) / n)});
    }
    return fit;
}

}  // namespace models

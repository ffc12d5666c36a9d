// SPDX-License-Identifier: MIT
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "autocorrelation.hpp"
#include "log_gamma.hpp"
#include "remembered.hpp"

namespace models {

namespace {

// P(B <= k) for B binomial with n trials of probability 1/2, k < n/2. The terms shrink quickly below k.
double binomial_tail(std::size_t n, std::size_t k) {
    const double trials = static_cast<double>(n);
    const auto term = [&](double i) {
        return std::exp(log_gamma(trials + 1) - log_gamma(i + 1) - log_gamma(trials - i + 1) -
                        trials * std::log(2.0));
    };
    double sum = 0;
    for (double i = static_cast<double>(k); i >= 0; --i) {
        const double t = term(i);
        sum += t;
        if (t < 1e-12 * sum) {
            break;
        }
    }
    return sum;
}

// Confidence of the interval from the d-th smallest to the d-th largest of n samples
double confidence_of(std::size_t n, std::size_t d) {
    return 1 - 2 * binomial_tail(n, d - 1);
}

// The largest d whose interval is at least as sure as wanted; 0 if there is none
std::size_t order_for(std::size_t n, double confidence) {
    // near n/2 - z sqrt(n)/2 by the normal approximation, then step to the exact one
    const double guess = static_cast<double>(n) / 2 - std::sqrt(static_cast<double>(n));
    std::size_t d = guess > 1 ? static_cast<std::size_t>(guess) : 1;
    while (d > 1 && confidence_of(n, d) < confidence) {
        --d;
    }
    if (confidence_of(n, d) < confidence) {
        return 0;
    }
    while (d + 1 <= n / 2 && confidence_of(n, d + 1) >= confidence) {
        ++d;
    }
    return d;
}

double computed_position(std::size_t n, double confidence) {
    const std::size_t d = n == 0 ? 0 : order_for(n, confidence);
    if (d == 0) {
        return -1;
    }
    const double outer = confidence_of(n, d);
    const double inner = d + 1 <= n / 2 ? confidence_of(n, d + 1) : 0;
    const double part = (outer - confidence) / (outer - inner);
    const double nd = static_cast<double>(n - d);
    const double weight = nd * part / (static_cast<double>(d) + (nd - static_cast<double>(d)) * part);
    return static_cast<double>(d - 1) + weight;
}

// Where the interval of the median of n samples begins, between order statistics that count from zero;
// negative if no pair of order statistics is as sure as wanted
double position_for(std::size_t n, double confidence) {
    thread_local Remembered positions;
    return positions.of(static_cast<double>(n), confidence,
                        [n](double, double sure) { return computed_position(n, sure); });
}

// From that position to the same one from above
Interval interval_between(std::span<const double> sorted, double position) {
    if (position < 0) {
        return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    }
    const auto outside = static_cast<std::size_t>(position);
    const double weight = position - static_cast<double>(outside);
    const std::size_t last = sorted.size() - 1;
    const std::size_t inside = std::min(outside + 1, last);
    return {std::lerp(sorted[outside], sorted[inside], weight),  // of equal times exactly this one
            std::lerp(sorted[last - outside], sorted[last - inside], weight)};
}

std::vector<double> sorted_copy(std::span<const double> samples) {
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

}  // namespace

double quantile(std::span<const double> sorted, double probability) {
    const double position = probability * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = position - static_cast<double>(below);
    return sorted[below] + part * (sorted[above] - sorted[below]);
}

double median(std::span<const double> sorted) {
    return quantile(sorted, 0.5);
}

Interval median_interval(std::span<const double> sorted, double confidence) {
    return interval_between(sorted, position_for(sorted.size(), confidence));
}

Interval median_interval_in_order(std::span<const double> samples, std::span<const double> sorted,
                                  double confidence) {
    const double position = position_for(sorted.size(), confidence);
    const double middle = (static_cast<double>(sorted.size()) - 1) / 2;
    const double reach = (middle - position) * std::sqrt(variance_inflation(samples, sorted));
    return interval_between(sorted, position < 0 ? position : std::max(0.0, middle - reach));
}

Interval median_interval_in_order(std::span<const double> samples, double confidence) {
    return median_interval_in_order(samples, sorted_copy(samples), confidence);
}

double mean(std::span<const double> samples) {
    return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double standard_deviation(std::span<const double> samples) {
    if (samples.size() < 2) {
        return 0;
    }
    const double center = mean(samples);
    double squares = 0;
    for (const double sample : samples) {
        squares += (sample - center) * (sample - center);
    }
    return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

double trimmed_mean(std::span<const double> sorted, double fraction) {
    const auto cut = static_cast<std::size_t>(fraction * static_cast<double>(sorted.size()));
    return mean(sorted.subspan(cut, sorted.size() - 2 * cut));
}

std::vector<std::size_t> outliers(std::span<const double> samples) {
    const std::vector<double> sorted = sorted_copy(samples);
    std::vector<std::size_t> found;
    if (sorted.empty()) {
        return found;
    }
    const double q1 = quantile(sorted, 0.25);
    const double q3 = quantile(sorted, 0.75);
    const double reach = 3 * (q3 - q1);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (samples[i] < q1 - reach || samples[i] > q3 + reach) {
            found.push_back(i);
        }
    }
    return found;
}

Histogram histogram(std::span<const double> sorted, std::size_t bins) {
    Histogram result{sorted.front(), 0, std::vector<std::size_t>(bins), 0};
    const double last_edge = quantile(sorted, 0.99);
    result.bin_width = (last_edge - result.first_edge) / static_cast<double>(bins);
    for (const double sample : sorted) {
        if (sample > last_edge) {
            ++result.beyond;
        } else if (result.bin_width <= 0) {
            ++result.counts.front();
        } else {
            const auto bin = static_cast<std::size_t>((sample - result.first_edge) / result.bin_width);
            ++result.counts[std::min(bin, bins - 1)];
        }
    }
    return result;
}

Summary summarize(std::span<const double> samples) {
    const std::vector<double> sorted = sorted_copy(samples);
    return {sorted.size(),
            median(sorted),
            median_interval_in_order(samples, sorted, confidence_when_stopped),
            mean(sorted),
            trimmed_mean(sorted, 0.25),
            standard_deviation(sorted),
            sorted.front(),
            quantile(sorted, 0.05),
            quantile(sorted, 0.25),
            quantile(sorted, 0.75),
            quantile(sorted, 0.95),
            quantile(sorted, 0.99),
            sorted.back(),
            outliers(samples)};
}

double relative_half_width(const Interval& interval, double median) {
    return (interval.high - interval.low) / 2 / median;
}

}  // namespace models

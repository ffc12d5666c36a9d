// SPDX-License-Identifier: MIT
#include "autocorrelation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "statistics.hpp"

namespace models {

namespace {

constexpr double largest_correlation = 0.98;
constexpr std::size_t min_batches = 6;
constexpr double significant = 2;  // standard errors

double sign(double x) {
    return static_cast<double>((x > 0) - (x < 0));
}

// Autocorrelation of neighbours, of deviations from the median cut at 1.5 standard deviations: a slow
// repetition says no more than that it is slow. Estimates of short sequences are too small by (1 + 3 r) / n
// (Kendall 1954, Marriott and Pope 1954) and vary; with 3 (1 + r) / n the intervals cover best, see
// `median_interval_in_order`.
double neighbour_correlation(std::span<const double> samples, double center, double deviation) {
    const auto n = static_cast<double>(samples.size());
    const auto cut = [&](double x) { return std::clamp((x - center) / deviation, -1.5, 1.5); };
    double sum = 0;
    double squares = 0;
    double products = 0;
    double before = 0;
    for (const double sample : samples) {
        const double x = cut(sample);
        sum += x;
        squares += x * x;
        products += x * before;
        before = x;
    }
    const double mean = sum / n;
    const double ends = cut(samples.front()) + cut(samples.back());
    const double variance = squares - n * mean * mean;
    const double covariance = products - mean * (2 * sum - ends) + (n - 1) * mean * mean;
    const double r = variance > 0 ? covariance / variance : 0;
    return std::min(largest_correlation, r + 3 * (1 + r) / n);
}

// 1 + twice the autocorrelations of the signs of a normal first-order autoregression, of n samples
double inflation_of_autoregression(double correlation, std::size_t n) {
    double sum = 0;
    double power = correlation;
    for (std::size_t lag = 1; lag < n && power > 1e-4; ++lag, power *= correlation) {
        const double share_of_pairs = 1 - static_cast<double>(lag) / static_cast<double>(n);
        sum += share_of_pairs * std::asin(power) * 2 / std::numbers::pi;
    }
    return 1 + 2 * sum;
}

// Sums of the signs over batches of 2, 4, 8 ... neighbours (Flyvbjerg and Petersen 1989), of all lengths in
// one pass: the first of two batches waits for the second.
class SignBatches {
  public:
    void add(double sign_of_sample) {
        squares_of_signs_ += sign_of_sample * sign_of_sample;
        double sum = sign_of_sample;
        for (Level& level : levels_) {
            level.is_waiting = !level.is_waiting;
            if (level.is_waiting) {
                level.waiting = sum;
                return;
            }
            sum += level.waiting;
            level.batches += 1;
            level.sum += sum;
            level.squares += sum * sum;
        }
    }

    // At least `least`: what batches say only where they differ from it significantly
    double inflation(double least, std::size_t samples) const {
        const double variance_of_signs = squares_of_signs_ / static_cast<double>(samples);
        double length = 1;
        for (const Level& level : levels_) {
            length *= 2;
            if (level.batches < min_batches || variance_of_signs <= 0) {
                break;
            }
            const double free = level.batches - 1;
            const double variance = (level.squares - level.sum * level.sum / level.batches) / free;
            const double found = variance / length / variance_of_signs;
            if (found > least * (1 + significant * std::sqrt(2 / free))) {
                least = found;
            }
        }
        return least;
    }

  private:
    struct Level {
        bool is_waiting = false;
        double waiting = 0;
        double batches = 0;
        double sum = 0;
        double squares = 0;
    };
    std::array<Level, 40> levels_;
    double squares_of_signs_ = 0;
};

}  // namespace

double variance_inflation(std::span<const double> samples, std::span<const double> sorted) {
    if (samples.size() < min_batches) {
        return 1;
    }
    const double center = median(sorted);
    constexpr double quartiles_per_deviation = 1.349;  // of a normal distribution
    const double deviation = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / quartiles_per_deviation;
    const double neighbours = deviation > 0 ? neighbour_correlation(samples, center, deviation) : 0;
    SignBatches batches;
    for (const double sample : samples) {
        batches.add(sign(sample - center));
    }
    return batches.inflation(inflation_of_autoregression(neighbours, samples.size()), samples.size());
}

}  // namespace models

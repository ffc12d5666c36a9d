// SPDX-License-Identifier: MIT
// A shifted log-normal distribution: the logarithm of the time above the smallest possible one is normal.
// Times of messages often have this distribution (Grove 2003, cited by Hamid 2008, section 5.1).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace models {

struct LogNormal {
    double shift;   // seconds; the logarithm of what is above it is normal
    double median;  // of what is above the shift
    double sigma;   // standard deviation of the logarithm
    // Largest difference of the two distribution functions (Kolmogorov and Smirnov): near 1 / sqrt(n) if the
    // samples are such a distribution
    double distance;

    double probability_below(double seconds) const;
};

// By quantiles (Aitchison and Brown 1957, chapter 6), which a few outliers do not change: with the shift, the
// 10% and the 90% quantile have the same distance from the median, as logarithms. The shift is between zero
// and the smallest sample. Nothing for fewer than 20 samples, or if these quantiles are equal.
inline constexpr std::size_t fewest_for_log_normal = 20;
std::optional<LogNormal> fit_log_normal(std::span<const double> sorted_seconds);

}  // namespace models

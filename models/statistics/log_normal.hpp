// SPDX-License-Identifier: MIT
// A log-normal distribution behind a shift: what a time has above the least that is possible. Times of
// messages are often distributed so (Grove 2003, as Hamid 2008, section 5.1, says).
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

// By quantiles (Aitchison and Brown 1957, chapter 6), which a few outliers do not move: the shift is such
// that the 10% and the 90% quantile are as far from the median, as logarithms. Between zero and the smallest
// sample. Nothing for fewer than 20 samples, or if these quantiles are the same.
inline constexpr std::size_t fewest_for_log_normal = 20;
std::optional<LogNormal> fit_log_normal(std::span<const double> sorted_seconds);

}  // namespace models

// SPDX-License-Identifier: MIT
// Compares two sequences of times: by how much they differ (the ratio with its interval), whether the
// difference is significant (Wilcoxon's signed-rank test for pairs, Mann and Whitney's test without pairs),
// and the correction for many tests at once (Holm).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "statistics.hpp"

namespace models {

struct Bootstrap {
    double confidence = 0.95;
    std::size_t resamples = 2000;
    std::uint64_t seed = 1;  // the same seed and samples give the same interval
};

struct Ratio {
    double ratio;  // of a to b
    Interval interval;
};

// Median of `a` / median of `b`, two independent sequences; percentile bootstrap (Efron 1979). Throws
// std::invalid_argument unless all times are above zero; the interval is reliable from 10 samples on.
Ratio ratio_of_medians(std::span<const double> a, std::span<const double> b, const Bootstrap& bootstrap = {});

// The same from each median and its interval alone, for independent sequences: the distances of each median
// to the ends of its interval, as logarithms, add as squares (MOVER, Zou and Donner 2008). Its cost does not
// depend on the number of samples. An interval without an end gives one without an end.
Ratio ratio_of_medians(double median_a, const Interval& a, double median_b, const Interval& b);

// Median of a[i] / b[i], where both were measured together (interleaved), so that disturbances of both
// cancel. The interval is that of a median. (Resampling pairs for the ratio of medians is too wide: when
// pairs agree well, it covers 99.8% instead of 95%.) Throws std::invalid_argument if the lengths differ.
Ratio median_ratio_of_pairs(std::span<const double> a, std::span<const double> b, double confidence = 0.95);

// One-sided p-values of: the differences are symmetric around zero
struct SignedRank {
    double p_less;     // small when the differences are below zero
    double p_greater;  // small when they are above zero
};

// Wilcoxon's signed-rank test (Wilcoxon 1945) of the differences of pairs, or of the logarithms of their
// ratios. Equal differences share their mean rank; zeros are ranked but belong to neither sum (Pratt 1959).
// Exact up to 50 pairs, ties included; beyond that the normal approximation, with the variance of the actual
// ranks and a continuity correction.
SignedRank signed_rank_test(std::span<const double> differences);

// Two-sided p-value of: a time of `a` is as often above one of `b` as below it (Mann and Whitney 1947), for
// sequences that have nothing to do with each other. Normal, with the variance corrected for ties and a
// continuity correction; good from about 8 samples each on. 1 if one of them is empty.
double rank_sum_p(std::span<const double> sorted_a, std::span<const double> sorted_b);

// Holm's step-down correction (Holm 1979): p-values that can each be compared with the error rate wanted for
// all of them together, in the order given.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace models

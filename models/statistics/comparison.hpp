// SPDX-License-Identifier: MIT
// Comparing two sequences of times: by how much (the ratio with its interval), whether the difference is more
// than chance (Wilcoxon's signed-rank test on pairs, Mann and Whitney's without pairs), and how sure one may
// be after asking many such questions at once (Holm).
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

// Median of `a` / median of `b`, two sequences that have nothing to do with each other; percentile bootstrap
// (Efron 1979). All times are above zero, else std::invalid_argument; the interval holds from 10 samples on.
Ratio ratio_of_medians(std::span<const double> a, std::span<const double> b, const Bootstrap& bootstrap = {});

// The same from nothing but each median and its interval, for sequences that have nothing to do with each
// other: the distances of each median to the ends of its interval, as logarithms, add as squares (MOVER, Zou
// and Donner 2008). Quick, whatever the number of samples. An interval without an end gives one without.
Ratio ratio_of_medians(double median_a, const Interval& a, double median_b, const Interval& b);

// Median of a[i] / b[i], where the i-th of both were taken together (interleaved), so that what slowed both
// cancels. The interval is that of a median. (Resampled pairs of the ratio of medians would cover 99.8%
// instead of 95% when pairs agree well, for nothing.) As many in `a` as in `b`, else std::invalid_argument.
Ratio median_ratio_of_pairs(std::span<const double> a, std::span<const double> b, double confidence = 0.95);

struct SignedRank {
    double positive_ranks;  // W+: sum of the ranks of the differences above zero
    std::size_t pairs;      // with a difference that is not zero
    bool exact;             // by the permutation distribution, else by the normal one
    double p_two_sided;     // of: the differences are symmetric around zero
    double p_less;          // one-sided, small when the differences are below zero
    double p_greater;
};

// Wilcoxon's signed-rank test (Wilcoxon 1945) of the differences of pairs, or of the logarithms of their
// ratios. Equal sizes share their mean rank; zeros take part in the ranking but in neither sum (Pratt 1959).
// Exact up to 50 pairs, ties included; beyond, normal with the variance of the ranks as they are and a
// continuity correction.
SignedRank signed_rank_test(std::span<const double> differences);

// Two-sided p-value of: a time of `a` is as often above one of `b` as below it (Mann and Whitney 1947), for
// sequences that have nothing to do with each other. Normal, with the variance corrected for ties and a
// continuity correction; good from about 8 samples each on. 1 if one of them is empty.
double rank_sum_p(std::span<const double> sorted_a, std::span<const double> sorted_b);

// Holm's step-down correction (Holm 1979): p-values that can each be compared with the error rate wanted for
// all of them together, in the order given.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace models

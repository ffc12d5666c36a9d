// SPDX-License-Identifier: MIT
// Statistics of one sequence of times: order statistics, the confidence interval of the median, summaries,
// histograms, outliers. Times have long tails, so the median and its distribution-free interval come first.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace models {

struct Interval {
    double low;
    double high;
};

// Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). Not empty.
double quantile(std::span<const double> sorted, double probability);
double median(std::span<const double> sorted);

// Confidence interval of the median from order statistics, whatever the distribution, interpolated between
// the two exact intervals around the wanted confidence (Hettmansperger and Sheather 1986). Infinite for fewer
// than 6 samples at 95%: no pair of order statistics has that confidence.
Interval median_interval(std::span<const double> sorted, double confidence = 0.95);

// The same for samples in the order in which they were measured, wider by what neighbours share
// (`variance_inflation`). 95% intervals of 15 to 1000 normal or log-normal samples, with 2% outliers or
// without, cover 95 to 97% if samples are independent, 95 to 96% with a first-order autocorrelation of 0.3,
// 93 to 95% with 0.5, 92 to 95% with 0.7 (89% of 15 samples); `median_interval` covers 95%, 88%, 80% and 66%.
// They are wider than its for independent samples: by 22% for 15, 10% for 30, 4 to 7% for 60 and more. A
// drift is seen as far as the sequence is longer than the drift. `sorted` has the same samples, sorted.
Interval median_interval_in_order(std::span<const double> samples, std::span<const double> sorted,
                                  double confidence = 0.95);
Interval median_interval_in_order(std::span<const double> samples, double confidence = 0.95);  // sorts

// If sampling stops when the interval is narrow, the interval covers about 1% less than its confidence
// (stopping_test measures it): such intervals are computed with this confidence in order to cover 95%.
inline constexpr double confidence_when_stopped = 0.96;

double mean(std::span<const double> samples);
double standard_deviation(std::span<const double> samples);  // of a sample: divided by n - 1

// Mean without the smallest and the largest `fraction` of the samples
double trimmed_mean(std::span<const double> sorted, double fraction);

// Samples further than 3 interquartile ranges outside of the quartiles (Tukey's 'far out'), by position. They
// are reported, never dropped.
std::vector<std::size_t> outliers(std::span<const double> samples);

// Counts in bins of equal width between the smallest sample and the 99th percentile; the rest is in `beyond`.
struct Histogram {
    double first_edge;
    double bin_width;
    std::vector<std::size_t> counts;
    std::size_t beyond;
};
Histogram histogram(std::span<const double> sorted, std::size_t bins);

struct Summary {
    std::size_t count;
    double median;
    // 95%, for samples in their order whose number was decided by a stopping rule
    Interval median_interval;
    double mean;
    double trimmed_mean;  // without 25% on each side, as SKaMPI
    double standard_deviation;
    double min;
    double p5;
    double p25;
    double p75;
    double p95;
    double p99;
    double max;
    std::vector<std::size_t> outliers;  // positions in the sequence
};
Summary summarize(std::span<const double> samples);  // in the order in which they were measured

// Half the width of the median's interval, relative to the median
double relative_half_width(const Interval& interval, double median);

}  // namespace models

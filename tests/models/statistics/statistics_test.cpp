// SPDX-License-Identifier: MIT
#include "statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

namespace {

using namespace models;

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
    const std::vector<double> sorted = {1, 2, 3, 10};
    EXPECT_DOUBLE_EQ(quantile(sorted, 0), 1);
    EXPECT_DOUBLE_EQ(quantile(sorted, 1), 10);
    EXPECT_DOUBLE_EQ(median(sorted), 2.5);
    EXPECT_DOUBLE_EQ(quantile(sorted, 0.75), 3 + 0.25 * 7);
    EXPECT_DOUBLE_EQ(median(std::vector<double>{7}), 7);
}

TEST(MedianInterval, IsInfiniteForTooFewSamples) {
    EXPECT_TRUE(std::isinf(median_interval(std::vector<double>{1, 2, 3, 4, 5}).low));
    EXPECT_TRUE(std::isinf(median_interval(std::vector<double>{}).high));
    EXPECT_FALSE(std::isinf(median_interval(std::vector<double>{1, 2, 3, 4, 5, 6}).low));
}

// Table of exact intervals: with 8 samples, the 1st to the 8th is 99.2% sure, the 2nd to the 7th 93.0%: 95%
// is between
TEST(MedianInterval, LiesBetweenTheExactOnes) {
    const std::vector<double> sorted = {1, 2, 3, 4, 5, 6, 7, 8};
    const Interval interval = median_interval(sorted);
    EXPECT_GT(interval.low, 1);
    EXPECT_LT(interval.low, 2);
    EXPECT_DOUBLE_EQ(interval.low + interval.high, 9) << "symmetric data, symmetric interval";
    const Interval exact = median_interval(sorted, 1 - 2 * 9.0 / 256);  // exactly the 2nd to the 7th
    EXPECT_NEAR(exact.low, 2, 1e-9);
    EXPECT_NEAR(exact.high, 7, 1e-9);
}

// A machine without noise: rounding must not move the interval off the median by its last bit
TEST(MedianInterval, OfEqualTimesIsThatTime) {
    for (const double time : {324.01e-6, 28.801e-6, 0.1}) {
        for (std::size_t count = 6; count < 60; ++count) {
            const std::vector<double> equal(count, time);
            EXPECT_EQ(median_interval(equal).low, time) << count;
            EXPECT_EQ(median_interval(equal).high, time) << count;
        }
    }
}

TEST(MedianInterval, CoversTheMedianAsOftenAsItSays) {
    std::mt19937_64 random(7);
    std::lognormal_distribution<double> skewed(0, 1);
    for (const std::size_t n : {6, 7, 12, 31, 200}) {
        int covered = 0;
        constexpr int trials = 5000;
        for (int t = 0; t < trials; ++t) {
            std::vector<double> samples(n);
            std::generate(samples.begin(), samples.end(), [&] { return skewed(random); });
            std::sort(samples.begin(), samples.end());
            const Interval interval = median_interval(samples);
            covered += interval.low <= 1 && 1 <= interval.high;
        }
        EXPECT_NEAR(static_cast<double>(covered) / trials, 0.95, 0.01) << n << " samples";
    }
}

TEST(MedianInterval, WorksForAMillionSamples) {
    std::vector<double> sorted(1000000);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        sorted[i] = static_cast<double>(i);
    }
    const Interval interval = median_interval(sorted);
    EXPECT_NEAR(interval.low, 500000 - 980, 2);  // 1.96 / 2 * sqrt(n)
    EXPECT_NEAR(interval.high, 500000 + 980, 2);
}

// Log-normal times with 2% outliers; neighbours correlate as given. The median is 1.
std::vector<double> times_with_memory(std::mt19937_64& random, std::size_t n, double correlation) {
    std::normal_distribution<double> normal;
    std::vector<double> times(n);
    double state = normal(random);
    for (double& time : times) {
        time = std::exp(0.13 * state);
        if (time > 1 && random() % 25 == 0) {
            time *= 1 + 5 * std::abs(normal(random));
        }
        state = correlation * state + std::sqrt(1 - correlation * correlation) * normal(random);
    }
    return times;
}

struct Covered {
    double by_order_statistics;
    double in_order;
    double relative_width;
};

Covered coverage_of(std::size_t n, double correlation) {
    std::mt19937_64 random(1000 + n);
    const int trials = n < 300 ? 2000 : 1000;
    int covered = 0;
    int covered_in_order = 0;
    double width = 0;
    double width_in_order = 0;
    for (int t = 0; t < trials; ++t) {
        const std::vector<double> samples = times_with_memory(random, n, correlation);
        std::vector<double> sorted = samples;
        std::sort(sorted.begin(), sorted.end());
        const Interval independent = median_interval(sorted);
        const Interval in_order = median_interval_in_order(samples, sorted);
        covered += independent.low <= 1 && 1 <= independent.high;
        covered_in_order += in_order.low <= 1 && 1 <= in_order.high;
        width += independent.high - independent.low;
        width_in_order += in_order.high - in_order.low;
    }
    return {static_cast<double>(covered) / trials, static_cast<double>(covered_in_order) / trials,
            width_in_order / width};
}

TEST(MedianIntervalInOrder, CoversTheMedianAlsoOfAutocorrelatedSamples) {
    for (const std::size_t n : {15, 30, 60, 100, 300, 1000}) {
        for (const double correlation : {0.0, 0.3, 0.5}) {
            const Covered coverage = coverage_of(n, correlation);
            const std::string what =
                std::to_string(n) + " samples, autocorrelation " + std::to_string(correlation);
            EXPECT_GE(coverage.in_order, 0.92) << what;
            EXPECT_LE(coverage.in_order, 0.975) << what;
            if (correlation == 0.5) {
                EXPECT_LT(coverage.by_order_statistics, 0.85) << what << ": nothing to correct";
            } else if (correlation == 0 && n >= 30) {
                EXPECT_LT(coverage.relative_width, n >= 60 ? 1.08 : 1.14) << what;
            }
        }
    }
}

TEST(MedianIntervalInOrder, IsNeverNarrowerThanThatOfIndependentSamples) {
    std::mt19937_64 random(3);
    for (const double correlation : {-0.6, 0.0, 0.6}) {
        for (int t = 0; t < 200; ++t) {
            const std::vector<double> samples = times_with_memory(random, 20 + random() % 50, correlation);
            std::vector<double> sorted = samples;
            std::sort(sorted.begin(), sorted.end());
            const Interval independent = median_interval(sorted);
            const Interval in_order = median_interval_in_order(samples);
            EXPECT_LE(in_order.low, independent.low + 1e-12);
            EXPECT_GE(in_order.high, independent.high - 1e-12);
        }
    }
}

TEST(MedianIntervalInOrder, StaysWithinTheSamplesAndIsInfiniteForTooFew) {
    std::vector<double> rising(12);
    std::iota(rising.begin(), rising.end(), 1);
    const Interval interval = median_interval_in_order(rising);
    EXPECT_DOUBLE_EQ(interval.low, 1);
    EXPECT_DOUBLE_EQ(interval.high, 12);
    EXPECT_TRUE(std::isinf(median_interval_in_order(std::vector<double>{1, 2, 3}).low));
    EXPECT_TRUE(std::isinf(median_interval_in_order(std::vector<double>{}).high));
}

TEST(TrimmedMean, LeavesOutBothEnds) {
    EXPECT_DOUBLE_EQ(trimmed_mean(std::vector<double>{0, 4, 6, 1000}, 0.25), 5);
    EXPECT_DOUBLE_EQ(trimmed_mean(std::vector<double>{3}, 0.25), 3);
}

TEST(Outliers, AreFoundByPosition) {
    std::vector<double> samples(50, 10);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i] += 0.01 * static_cast<double>(i % 7);
    }
    samples[17] = 250;
    samples[31] = 0.1;
    EXPECT_EQ(outliers(samples), (std::vector<std::size_t>{17, 31}));
    EXPECT_TRUE(outliers(std::vector<double>{}).empty());
}

TEST(HistogramOf, CountsEverySampleOnce) {
    std::vector<double> sorted(1000);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        sorted[i] = static_cast<double>(i);
    }
    const Histogram bins = histogram(sorted, 10);
    std::size_t total = bins.beyond;
    for (const std::size_t count : bins.counts) {
        EXPECT_NEAR(static_cast<double>(count), 99, 1);
        total += count;
    }
    EXPECT_EQ(total, sorted.size());
    EXPECT_EQ(histogram(std::vector<double>(5, 3.0), 4).counts.front(), 5U) << "all alike";
}

TEST(Summarize, SeesTheOrderOfTheSamples) {
    std::mt19937_64 random(9);
    std::vector<double> samples = times_with_memory(random, 200, 0.8);
    const Interval in_order = summarize(samples).median_interval;
    std::shuffle(samples.begin(), samples.end(), random);
    const Interval shuffled = summarize(samples).median_interval;
    EXPECT_GT(in_order.high - in_order.low, 1.5 * (shuffled.high - shuffled.low));
}

TEST(Summarize, KnowsItsNumbers) {
    const std::vector<double> samples = {5, 1, 4, 2, 3, 100};
    const Summary summary = summarize(samples);
    EXPECT_EQ(summary.count, 6U);
    EXPECT_DOUBLE_EQ(summary.median, 3.5);
    EXPECT_DOUBLE_EQ(summary.mean, 115.0 / 6);
    EXPECT_DOUBLE_EQ(summary.min, 1);
    EXPECT_DOUBLE_EQ(summary.max, 100);
    EXPECT_DOUBLE_EQ(summary.trimmed_mean, 3.5);
    EXPECT_EQ(summary.outliers, (std::vector<std::size_t>{5}));
}

}  // namespace

// SPDX-License-Identifier: MIT
// Runs that each have a bias of their own: one alone is sure of the wrong time, eight together are not.
#include "combination.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

using namespace models;

constexpr double truth = 50e-6;
constexpr double between_runs = 0.1;  // standard deviation of the logarithm
constexpr double within_run = 0.05;
constexpr int repetitions = 200;

RunMedian biased_run(std::mt19937_64& random) {
    std::normal_distribution<double> bias(0, between_runs);
    std::normal_distribution<double> noise(0, within_run);
    const double center = truth * std::exp(bias(random));
    std::vector<double> samples(repetitions);
    std::generate(samples.begin(), samples.end(), [&] { return center * std::exp(noise(random)); });
    std::sort(samples.begin(), samples.end());
    return {median(samples), median_interval(samples)};
}

bool holds(const Interval& interval, double value) {
    return interval.low <= value && value <= interval.high;
}

TEST(Combination, EightRunsFindWhatSingleOnesMiss) {
    constexpr int trials = 400;
    constexpr int runs = 8;
    std::mt19937_64 random(5);
    int of_single = 0;
    int of_combined = 0;
    double error_of_single = 0;
    double error_of_combined = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<RunMedian> medians;
        for (int run = 0; run < runs; ++run) {
            medians.push_back(biased_run(random));
        }
        const Combined combined = combine(medians);
        of_single += holds(medians.front().interval, truth);
        of_combined += holds(combined.interval, truth);
        error_of_single += std::abs(medians.front().median / truth - 1);
        error_of_combined += std::abs(combined.median / truth - 1);
    }
    EXPECT_LT(of_single, 0.1 * trials);  // the interval of a run is 0.4% wide on each side, its bias 10%
    EXPECT_GT(of_combined, 0.92 * trials);
    EXPECT_LT(of_combined, 0.99 * trials);  // and is not so wide that it says nothing
    EXPECT_LT(error_of_combined, 0.55 * error_of_single);
}

TEST(Combination, TellsTheSpread) {
    const std::vector<RunMedian> runs = {{1, {0.9, 1.1}}, {2, {1.5, 2.5}}, {4, {3, 5}}};
    const Combined combined = combine(runs);
    EXPECT_EQ(combined.runs, 3u);
    EXPECT_EQ(combined.median, 2);
    EXPECT_NEAR(combined.spread, std::log(2), 1e-12);
    EXPECT_EQ(combined.largest_by_smallest, 4);
    EXPECT_EQ(combined.misses, 2u);
    EXPECT_TRUE(std::isinf(combined.interval.high));  // three runs cannot be sure
}

TEST(Combination, RunsThatAgree) {
    const std::vector<RunMedian> runs(6, {3, {2.9, 3.1}});
    const Combined combined = combine(runs);
    EXPECT_EQ(combined.spread, 0);
    EXPECT_EQ(combined.misses, 0u);
    EXPECT_EQ(combined.interval.low, 3);
    EXPECT_EQ(combined.interval.high, 3);
}

}  // namespace

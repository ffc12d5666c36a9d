// SPDX-License-Identifier: MIT
// The stopping rule on sequences with a known median.
#include "stopping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "statistics.hpp"

namespace {

using namespace models;

struct Source {
    const char* name;
    double median;
    std::function<double(std::mt19937_64&)> next;
};

const Source sources[] = {
    {"normal", 100, [](auto& random) { return std::normal_distribution<double>(100, 10)(random); }},
    {"lognormal", 1, [](auto& random) { return std::lognormal_distribution<double>(0, 0.3)(random); }},
    // a fast and a slow path: 70% at 100 +- 5, 30% at 150 +- 5; the median is the 5/7 quantile of the first
    {"bimodal", 100 + 5 * 0.56595,
     [](auto& random) {
         const double center = std::bernoulli_distribution(0.7)(random) ? 100 : 150;
         return std::normal_distribution<double>(center, 5)(random);
     }},
    // Pareto with exponent 1.5: no variance
    {"heavy tail", std::pow(0.5, -1 / 1.5),
     [](auto& random) { return std::pow(1 - std::uniform_real_distribution<double>()(random), -1 / 1.5); }},
};

struct Outcome {
    Ended ended;
    std::size_t samples;
    Interval interval;
};

Outcome sample_until_stopped(const std::function<double()>& next, double target, const Limits& limits) {
    Stopping stopping(median_rule(target), limits);
    std::vector<double> samples;
    while (stopping.ended() == Ended::not_yet) {
        samples.push_back(next());
        stopping.add(samples.back(), 0);
    }
    return {stopping.ended(), samples.size(), summarize(samples).median_interval};
}

TEST(MedianRule, IntervalCoversTheMedianAsOftenAsItSays) {
    for (const Source& source : sources) {
        std::mt19937_64 random(11);
        int covered = 0;
        constexpr int trials = 1500;
        for (int t = 0; t < trials; ++t) {
            Limits limits;
            limits.max_repetitions = 100000;
            const Outcome outcome = sample_until_stopped([&] { return source.next(random); }, 0.04, limits);
            EXPECT_EQ(outcome.ended, Ended::precise);
            covered += outcome.interval.low <= source.median && source.median <= outcome.interval.high;
        }
        const double coverage = static_cast<double>(covered) / trials;
        std::printf("%s: coverage %.3f\n", source.name, coverage);
        EXPECT_GE(coverage, 0.93) << source.name;
        const bool is_bimodal =
            std::string(source.name) == "bimodal";  // few samples: chance counts as memory
        EXPECT_LE(coverage, is_bimodal ? 0.98 : 0.97) << source.name;
    }
}

// Samples that agree with their neighbours: as many more of them, and an interval that still covers
TEST(MedianRule, TakesMoreSamplesWhereNeighboursAgree) {
    std::mt19937_64 random(13);
    std::normal_distribution<double> normal;
    double samples_before = 0;
    for (const double correlation : {0.0, 0.5}) {
        int covered = 0;
        double samples = 0;
        constexpr int trials = 600;
        for (int t = 0; t < trials; ++t) {
            double state = normal(random);
            const auto next = [&] {
                state = correlation * state + std::sqrt(1 - correlation * correlation) * normal(random);
                return std::exp(0.13 * state);
            };
            const Outcome outcome = sample_until_stopped(next, 0.03, {30, 100000, 10});
            covered += outcome.interval.low <= 1 && 1 <= outcome.interval.high;
            samples += static_cast<double>(outcome.samples) / trials;
        }
        EXPECT_NEAR(static_cast<double>(covered) / trials, 0.95, 0.025) << correlation;
        if (samples_before > 0) {
            EXPECT_NEAR(samples / samples_before, 2.3, 0.3) << "the variance of the median is 2.3 times that";
        }
        samples_before = samples;
    }
}

TEST(MedianRule, IsAsPreciseAsItSaysWhenItStops) {
    std::mt19937_64 random(3);
    const Outcome outcome =
        sample_until_stopped([&] { return sources[0].next(random); }, 0.01, {30, 100000, 10});
    EXPECT_EQ(outcome.ended, Ended::precise);
    EXPECT_LE(relative_half_width(outcome.interval, 100), 0.0101);
    EXPECT_GT(outcome.samples, 300U);
}

// Two values of equal weight: the median jumps between them, and the rule says that it was not reached
TEST(MedianRule, SaysSoWhenItGivesUp) {
    int i = 0;
    Stopping stopping(median_rule(0.02), {30, 500, 1e9});
    while (stopping.ended() == Ended::not_yet) {
        stopping.add(++i % 2 ? 100 : 200, 0);
    }
    EXPECT_EQ(stopping.ended(), Ended::repetitions);
    EXPECT_EQ(i, 500);
    EXPECT_GT(stopping.precision(), 0.02);
}

TEST(MedianRule, DoesNotFindADriftingSequencePrecise) {
    int i = 0;
    Stopping stopping(median_rule(0.02), {30, 300, 1e9});
    while (stopping.ended() == Ended::not_yet) {
        stopping.add(100 + ++i, 0);
    }
    EXPECT_EQ(stopping.ended(), Ended::repetitions);
}

TEST(Limits, TimeEndsACase) {
    Stopping stopping(median_rule(1e-9), {30, 1000, 2});
    stopping.add(1, 0.5);
    EXPECT_EQ(stopping.ended(), Ended::not_yet);
    stopping.add(2, 2.5);
    EXPECT_EQ(stopping.ended(), Ended::not_yet) << "two cannot be compared with anything";
    stopping.add(3, 4.5);
    EXPECT_EQ(stopping.ended(), Ended::time);
}

TEST(Limits, NothingIsPreciseBeforeTheMinimum) {
    Stopping stopping(median_rule(0.02), {50, 1000, 10});
    for (int i = 1; i < 50; ++i) {
        stopping.add(100, 0);
        ASSERT_EQ(stopping.ended(), Ended::not_yet) << i;
    }
    stopping.add(100, 0);
    EXPECT_EQ(stopping.ended(), Ended::precise);
}

TEST(TrimmedMeanRule, IgnoresTheTails) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> noise(100, 1);
    int i = 0;
    Stopping stopping(trimmed_mean_rule(0.005), {30, 1000, 1e9});
    while (stopping.ended() == Ended::not_yet) {
        stopping.add(++i % 10 == 0 ? 10000 : noise(random), 0);
    }
    EXPECT_EQ(stopping.ended(), Ended::precise);
    EXPECT_LT(i, 100);
}

}  // namespace

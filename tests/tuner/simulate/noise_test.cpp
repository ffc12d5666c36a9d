// SPDX-License-Identifier: MIT
#include "noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "statistics.hpp"

namespace {

using namespace tuner;

std::vector<double> times(const Noise& noise, std::uint64_t seed, int number = 10000) {
    NoisyTimes source(noise, seed);
    std::vector<double> all;
    for (int i = 0; i < number; ++i) {
        all.push_back(source.next(1e-3, 0));
    }
    return all;
}

TEST(Noise, WithoutItTimesAreExact) {
    EXPECT_EQ(times({}, 1), std::vector<double>(10000, 1e-3));
}

TEST(Noise, TheSameSeedGivesTheSameTimes) {
    const Noise noise = {.sigma = 0.1, .outliers = 0.01};
    EXPECT_EQ(times(noise, 7), times(noise, 7));
    EXPECT_NE(times(noise, 7), times(noise, 8));
}

TEST(Noise, IsLogNormal) {
    std::vector<double> all = times({.sigma = 0.1}, 3);
    std::sort(all.begin(), all.end());
    EXPECT_NEAR(models::median(all), 1e-3, 0.01e-3);
    EXPECT_NEAR(std::log(all[8413] / all[1587]), 2 * 0.1, 0.01) << "one standard deviation on either side";
}

TEST(Noise, SharesAreThoseAskedFor) {
    const std::vector<double> all = times({.outliers = 0.05, .outlier_factor = 4, .time_outs = 0.02}, 5);
    EXPECT_NEAR(static_cast<double>(std::count(all.begin(), all.end(), 4e-3)) / 10000, 0.05, 0.01);
    const auto late = std::count_if(all.begin(), all.end(), [](double t) { return t > 0.2; });
    EXPECT_NEAR(static_cast<double>(late) / 10000, 0.02, 0.006);
}

TEST(Noise, DriftsWithTheTimeOfMeasuring) {
    NoisyTimes source({.drift_per_hour = 0.5}, 1);
    EXPECT_DOUBLE_EQ(source.next(1, 0), 1);
    EXPECT_DOUBLE_EQ(source.next(1, 3600), 1.5);
}

}  // namespace

// SPDX-License-Identifier: MIT
// Fits to samples of known log-normal distributions, alone and with the outliers of a network.
#include "log_normal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

using namespace models;

constexpr double shift = 100e-6;
constexpr double middle = 20e-6;
constexpr double sigma = 0.7;

std::vector<double> known_samples(std::size_t count) {
    std::mt19937_64 random(11);
    std::lognormal_distribution<double> above(std::log(middle), sigma);
    std::vector<double> samples(count);
    std::generate(samples.begin(), samples.end(), [&] { return shift + above(random); });
    std::sort(samples.begin(), samples.end());
    return samples;
}

TEST(LogNormal, FindsTheKnownOne) {
    const auto fit = fit_log_normal(known_samples(20000));
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->shift, shift, 0.02 * shift);
    EXPECT_NEAR(fit->median, middle, 0.1 * middle);
    EXPECT_NEAR(fit->sigma, sigma, 0.05);
    EXPECT_LT(fit->distance, 0.015);
    EXPECT_NEAR(fit->probability_below(shift + middle), 0.5, 0.02);
    EXPECT_EQ(fit->probability_below(0), 0);
}

TEST(LogNormal, IsNotMovedByOutliers) {
    std::vector<double> samples = known_samples(2000);
    samples.insert(samples.end(), 40, 0.2);  // 2% time-outs
    const auto fit = fit_log_normal(samples);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->shift, shift, 0.05 * shift);
    EXPECT_NEAR(fit->median, middle, 0.25 * middle);
    EXPECT_NEAR(fit->sigma, sigma, 0.15);
}

TEST(LogNormal, TellsWhatIsNone) {
    std::vector<double> two_places(100, 1e-3);
    std::fill(two_places.begin() + 50, two_places.end(), 2e-3);
    const auto fit = fit_log_normal(two_places);
    ASSERT_TRUE(fit);
    EXPECT_GT(fit->distance, 0.2);  // 1 / sqrt(n) is 0.1
}

TEST(LogNormal, HasNoShiftWithoutATail) {
    std::vector<double> left;  // the tail is below
    for (int i = 0; i < 100; ++i) {
        left.push_back(1 - std::exp(-0.05 * i) * 0.5);
    }
    const auto fit = fit_log_normal(left);
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->shift, 0);
}

TEST(LogNormal, NeedsSamplesThatDiffer) {
    EXPECT_FALSE(fit_log_normal(std::vector<double>(fewest_for_log_normal - 1, 1.0)));
    EXPECT_FALSE(fit_log_normal(std::vector<double>(1000, 1.0)));
}

}  // namespace

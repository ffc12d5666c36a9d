// SPDX-License-Identifier: MIT
// Sequences whose variance of the median is known, or was computed from many of them.
#include "autocorrelation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "statistics.hpp"

namespace {

using namespace models;

double inflation_of(const std::vector<double>& samples) {
    std::vector<double> sorted = samples;
    std::sort(sorted.begin(), sorted.end());
    return variance_inflation(samples, sorted);
}

// A level that forgets itself slowly, and noise on top of it
std::vector<double> drifting(std::mt19937_64& random, std::size_t n, double memory, double noise) {
    std::normal_distribution<double> normal;
    double level = normal(random);
    std::vector<double> samples(n);
    for (double& sample : samples) {
        sample = level + noise * normal(random);
        level = memory * level + std::sqrt(1 - memory * memory) * normal(random);
    }
    return samples;
}

// Variance of the median of such sequences / of shuffled ones
double true_inflation(std::size_t n, double memory, double noise) {
    std::mt19937_64 random(21);
    std::vector<double> medians;
    std::vector<double> medians_of_independent;
    for (int t = 0; t < 1500; ++t) {
        std::vector<double> samples = drifting(random, n, memory, noise);
        std::sort(samples.begin(), samples.end());
        medians.push_back(median(samples));
        std::vector<double> independent = drifting(random, n, 0, noise);
        std::sort(independent.begin(), independent.end());
        medians_of_independent.push_back(median(independent));
    }
    return std::pow(standard_deviation(medians) / standard_deviation(medians_of_independent), 2);
}

double median_estimate(std::size_t n, double memory, double noise) {
    std::mt19937_64 random(22);
    std::vector<double> found;
    for (int t = 0; t < 301; ++t) {
        found.push_back(inflation_of(drifting(random, n, memory, noise)));
    }
    std::sort(found.begin(), found.end());
    return median(found);
}

TEST(VarianceInflation, IsThatOfAnAutoregression) {
    for (const double memory : {0.3, 0.5, 0.8}) {
        const double expected = true_inflation(400, memory, 0);
        EXPECT_NEAR(median_estimate(400, memory, 0) / expected, 1, 0.15) << memory << ": " << expected;
    }
}

// Neighbours hardly correlate (0.17), yet the median varies as if a tenth of the samples were there
TEST(VarianceInflation, FindsADriftBelowTheNoise) {
    const double expected = true_inflation(4000, 0.95, 2.2);
    EXPECT_GT(expected, 4);
    EXPECT_NEAR(median_estimate(4000, 0.95, 2.2) / expected, 1, 0.35) << expected;
}

TEST(VarianceInflation, IsOneWithoutPositiveCorrelation) {
    std::vector<double> alternating;
    for (int i = 0; i < 100; ++i) {
        alternating.push_back(i % 2 == 0 ? 1 + 0.001 * i : 2 - 0.001 * i);
    }
    EXPECT_DOUBLE_EQ(inflation_of(alternating), 1);
    EXPECT_DOUBLE_EQ(inflation_of(std::vector<double>(50, 3.0)), 1) << "all alike";
    EXPECT_DOUBLE_EQ(inflation_of({1, 2, 3}), 1) << "too few to say";
    EXPECT_LT(median_estimate(400, 0, 0), 1.05);
}

// A clock with coarse ticks: most samples equal the median, the rest still shows the step
TEST(VarianceInflation, WorksWhereQuartilesAreEqual) {
    std::vector<double> samples(400, 5.0);
    for (std::size_t i = 0; i < 80; ++i) {
        samples[i] = 4;
        samples[399 - i] = 6;
    }
    EXPECT_GT(inflation_of(samples), 10);
}

TEST(VarianceInflation, OneOutlierDoesNotHideTheCorrelation) {
    std::mt19937_64 random(4);
    std::vector<double> samples = drifting(random, 300, 0.7, 0);
    const double clean = inflation_of(samples);
    samples[150] = 1e6;
    EXPECT_NEAR(inflation_of(samples) / clean, 1, 0.1);
}

}  // namespace

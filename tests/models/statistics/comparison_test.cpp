// SPDX-License-Identifier: MIT
#include "comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace {

using namespace models;

std::vector<double> log_normal(std::mt19937_64& random, std::size_t n, double median, double sigma) {
    std::lognormal_distribution<double> distribution(std::log(median), sigma);
    std::vector<double> samples(n);
    std::generate(samples.begin(), samples.end(), [&] { return distribution(random); });
    return samples;
}

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> result(a.size());
    std::transform(a.begin(), a.end(), b.begin(), result.begin(), std::minus<>());
    return result;
}

bool contains(const Interval& interval, double value) {
    return interval.low <= value && value <= interval.high;
}

TEST(RatioOfMedians, IsTheRatioAndTheSameForTheSameSeed) {
    const std::vector<double> a = {2, 4, 6, 8};
    const std::vector<double> b = {1, 2, 4};
    const Ratio first = ratio_of_medians(a, b);
    const Ratio again = ratio_of_medians(a, b);
    EXPECT_DOUBLE_EQ(first.ratio, 2.5);
    EXPECT_EQ(first.interval.low, again.interval.low);
    EXPECT_EQ(first.interval.high, again.interval.high);
    EXPECT_LT(first.interval.low, 2.5);
    EXPECT_GT(first.interval.high, 2.5);
}

TEST(RatioOfMedians, CoversTheTruthAsOftenAsItSays) {
    for (const std::size_t n : {10, 40}) {
        std::mt19937_64 random(21);
        int covered = 0;
        constexpr int trials = 1000;
        for (int t = 0; t < trials; ++t) {
            const std::vector<double> a = log_normal(random, n, 3, 0.3);
            const std::vector<double> b = log_normal(random, n, 2, 0.6);
            covered += contains(ratio_of_medians(a, b, {0.95, 500, random()}).interval, 1.5);
        }
        const double coverage = static_cast<double>(covered) / trials;
        std::printf("independent, n = %zu: coverage %.3f\n", n, coverage);
        EXPECT_GE(coverage, 0.93) << n;
        EXPECT_LE(coverage, 0.97) << n;
    }
}

// Both of a pair share a disturbance five times as large as their own noise
TEST(MedianRatioOfPairs, CoversTheTruthAndIsNarrowerThanUnpaired) {
    std::mt19937_64 random(22);
    int covered = 0;
    double paired_width = 0;
    double independent_width = 0;
    constexpr int trials = 1000;
    for (int t = 0; t < trials; ++t) {
        const std::vector<double> disturbance = log_normal(random, 40, 1, 0.5);
        std::vector<double> a = log_normal(random, 40, 3, 0.1);
        std::vector<double> b = log_normal(random, 40, 2, 0.1);
        std::transform(a.begin(), a.end(), disturbance.begin(), a.begin(), std::multiplies<>());
        std::transform(b.begin(), b.end(), disturbance.begin(), b.begin(), std::multiplies<>());
        const Interval paired = median_ratio_of_pairs(a, b).interval;
        const Interval independent = ratio_of_medians(a, b, {0.95, 300, random()}).interval;
        covered += contains(paired, 1.5);
        paired_width += paired.high - paired.low;
        independent_width += independent.high - independent.low;
    }
    const double coverage = static_cast<double>(covered) / trials;
    std::printf("paired: coverage %.3f\n", coverage);
    EXPECT_GE(coverage, 0.93);
    EXPECT_LE(coverage, 0.97);
    EXPECT_LT(paired_width, 0.5 * independent_width);
}

TEST(RatioOfMedians, FindsNoDifferenceBetweenAAndAInMostTrials) {
    std::mt19937_64 random(23);
    int found = 0;
    constexpr int trials = 1000;
    for (int t = 0; t < trials; ++t) {
        const std::vector<double> a = log_normal(random, 40, 5, 0.3);
        const std::vector<double> b = log_normal(random, 40, 5, 0.3);
        found += !contains(ratio_of_medians(a, b, {0.95, 500, random()}).interval, 1);
    }
    const double rate = static_cast<double>(found) / trials;
    EXPECT_GE(rate, 0.03);
    EXPECT_LE(rate, 0.07);
}

TEST(RatioOfMedians, RefusesWhatIsNoTime) {
    const std::vector<double> good = {1, 2};
    EXPECT_THROW(ratio_of_medians(good, std::vector<double>{}), std::invalid_argument);
    EXPECT_THROW(ratio_of_medians(good, std::vector<double>{1, 0}), std::invalid_argument);
    EXPECT_THROW(median_ratio_of_pairs(good, std::vector<double>{1}), std::invalid_argument);
}

// Differences 1..n with the given ones below zero: W- is the sum of those
std::vector<double> one_to(int n, std::vector<int> negative) {
    std::vector<double> differences;
    for (int i = 1; i <= n; ++i) {
        const bool below = std::find(negative.begin(), negative.end(), i) != negative.end();
        differences.push_back(below ? -i : i);
    }
    return differences;
}

double two_sided(const SignedRank& test) {
    return std::min(1.0, 2 * std::min(test.p_less, test.p_greater));
}

// Tables of the signed-rank statistic (Wilcoxon 1945, table II; Lehmann 1975, table H): one-sided probability
// of a sum of ranks this small
TEST(SignedRank, AgreesWithTheTables) {
    EXPECT_DOUBLE_EQ(signed_rank_test(one_to(5, {})).p_greater, 1.0 / 32);
    EXPECT_DOUBLE_EQ(two_sided(signed_rank_test(one_to(6, {}))), 2.0 / 64);
    EXPECT_DOUBLE_EQ(signed_rank_test(one_to(8, {3})).p_greater, 5.0 / 256);
    EXPECT_NEAR(signed_rank_test(one_to(10, {8})).p_greater, 0.0244, 5e-5);
    EXPECT_NEAR(signed_rank_test(one_to(15, {12, 13})).p_greater, 0.0240, 5e-5);
    EXPECT_NEAR(signed_rank_test(one_to(20, {20, 19, 13})).p_greater, 0.0242, 5e-5);
}

// Hollander and Wolfe 1973, p. 29: depression scale of nine patients, V = 40, p = 0.01953
TEST(SignedRank, AgreesWithHollanderAndWolfe) {
    const std::vector<double> before = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const std::vector<double> after = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    const SignedRank result = signed_rank_test(difference(before, after));
    EXPECT_NEAR(result.p_greater, 0.01953, 5e-6);
    EXPECT_DOUBLE_EQ(result.p_less, 1 - 7.0 / 512) << "7 of the 512 signs give W- < 5";
}

// Darwin's fifteen pairs of maize plants: W- = 24, p = 0.0413 two-sided
TEST(SignedRank, AgreesWithDarwinsMaize) {
    const std::vector<double> heights = {6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
    EXPECT_NEAR(two_sided(signed_rank_test(heights)), 0.041259765625, 1e-12);
}

// By hand: sizes 0, 1, 1, 2 have ranks 1, 2.5, 2.5, 4; of the 8 signs of the last three, 3 give a sum >= 6.5
TEST(SignedRank, RanksZerosAndTies) {
    const SignedRank result = signed_rank_test(std::vector<double>{0, 1, -1, 2});
    EXPECT_DOUBLE_EQ(result.p_greater, 3.0 / 8);
    EXPECT_DOUBLE_EQ(two_sided(result), 6.0 / 8);
    EXPECT_EQ(two_sided(signed_rank_test(std::vector<double>{0, 0})), 1);
    EXPECT_EQ(two_sided(signed_rank_test(std::vector<double>{})), 1);
}

// Exact for 60 pairs, by counting all sums: P(W- <= 600) = 0.009916
TEST(SignedRank, IsNormalForManyPairs) {
    const SignedRank result = signed_rank_test(one_to(60, {45, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60}));
    EXPECT_NEAR(result.p_greater, 0.009916, 0.0005);
}

// Sizes 1, 1, 2, 2, ... 30, 30 and five zeros: against random signs
TEST(SignedRank, IsNormalForManyPairsWithTiesAndZeros) {
    std::vector<double> differences(5, 0.0);
    double positive_ranks = 0;
    for (int i = 0; i < 60; ++i) {
        differences.push_back((i % 5 < 2 ? -1 : 1) * (1 + i / 2));
        positive_ranks += i % 5 < 2 ? 0 : 5 + 1.5 + 2 * (i / 2);
    }
    const SignedRank result = signed_rank_test(differences);
    std::mt19937_64 random(26);
    int as_large = 0;
    constexpr int trials = 100000;
    for (int t = 0; t < trials; ++t) {
        std::uint64_t signs = random();
        double sum = 0;
        for (int i = 0; i < 60; ++i, signs >>= 1) {
            sum += signs & 1 ? 5 + 1.5 + 2 * (i / 2) : 0;
        }
        as_large += sum >= positive_ranks;
    }
    const double by_signs = static_cast<double>(as_large) / trials;
    EXPECT_NEAR(result.p_greater, by_signs, 0.05 * by_signs);
}

TEST(SignedRank, FindsNoDifferenceBetweenAAndAInMostTrials) {
    for (const std::size_t n : {20, 40, 51, 200}) {
        std::mt19937_64 random(25);
        int found = 0;
        constexpr int trials = 4000;
        for (int t = 0; t < trials; ++t) {
            const std::vector<double> a = log_normal(random, n, 5, 0.5);
            const std::vector<double> b = log_normal(random, n, 5, 0.5);
            found += two_sided(signed_rank_test(difference(a, b))) < 0.05;
        }
        const double rate = static_cast<double>(found) / trials;
        EXPECT_GE(rate, 0.04) << n;
        EXPECT_LE(rate, 0.06) << n;
    }
}

// Holm 1979: the smallest of four times 4, the next times 3, never smaller than the one before
TEST(Holm, AdjustsInOrderOfSize) {
    const std::vector<double> adjusted = holm_adjusted(std::vector<double>{0.04, 0.01, 0.03, 0.005});
    ASSERT_EQ(adjusted.size(), 4U);
    EXPECT_DOUBLE_EQ(adjusted[0], 0.06);
    EXPECT_DOUBLE_EQ(adjusted[1], 0.03);
    EXPECT_DOUBLE_EQ(adjusted[2], 0.06);
    EXPECT_DOUBLE_EQ(adjusted[3], 0.02);
    EXPECT_EQ(holm_adjusted(std::vector<double>{0.9, 0.8}), (std::vector<double>{1, 1}));
    EXPECT_TRUE(holm_adjusted(std::vector<double>{}).empty());
}

TEST(RatioOfMediansByIntervals, AddsTheDistancesAsSquares) {
    const Ratio ratio = ratio_of_medians(2, {1, 4}, 1, {0.5, 2});
    EXPECT_DOUBLE_EQ(ratio.ratio, 2);
    EXPECT_NEAR(ratio.interval.low, 2 * std::pow(2, -std::sqrt(2.0)), 1e-12);
    EXPECT_NEAR(ratio.interval.high, 2 * std::pow(2, std::sqrt(2.0)), 1e-12);
    const Ratio exact = ratio_of_medians(3, {3, 3}, 2, {1.6, 2.5});
    EXPECT_NEAR(exact.interval.low, 3 / 2.5, 1e-12);
    EXPECT_NEAR(exact.interval.high, 3 / 1.6, 1e-12);
}

TEST(RatioOfMediansByIntervals, HasNoEndWhereAMedianHasNone) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Ratio ratio = ratio_of_medians(2, {-infinity, infinity}, 1, {0.9, 1.1});
    EXPECT_EQ(ratio.interval.low, 0);
    EXPECT_EQ(ratio.interval.high, infinity);
}

TEST(RatioOfMediansByIntervals, CoversTheTruthAsOftenAsItSays) {
    for (const std::size_t n : {15, 60}) {
        std::mt19937_64 random(23);
        int covered = 0;
        constexpr int trials = 2000;
        for (int t = 0; t < trials; ++t) {
            std::vector<double> a = log_normal(random, n, 3, 0.3);
            std::vector<double> b = log_normal(random, 2 * n, 2, 0.6);
            std::sort(a.begin(), a.end());
            std::sort(b.begin(), b.end());
            covered += contains(
                ratio_of_medians(median(a), median_interval(a), median(b), median_interval(b)).interval, 1.5);
        }
        const double coverage = static_cast<double>(covered) / trials;
        std::printf("from intervals, n = %zu: coverage %.3f\n", n, coverage);
        EXPECT_GE(coverage, 0.93) << n;
        EXPECT_LE(coverage, 0.975) << n;
    }
}

TEST(RankSum, KnownValues) {
    const std::vector<double> low = {1, 2, 3, 4, 5};
    const std::vector<double> high = {6, 7, 8, 9, 10};
    EXPECT_NEAR(rank_sum_p(low, high), 0.012186, 1e-5);  // U = 0: z = (12.5 - 0.5) / sqrt(25 * 11 / 12)
    EXPECT_DOUBLE_EQ(rank_sum_p(low, high), rank_sum_p(high, low));
    const std::vector<double> tied_a = {1, 2, 2, 3};
    const std::vector<double> tied_b = {2, 3, 3, 4};
    EXPECT_NEAR(rank_sum_p(tied_a, tied_b), 0.17203, 1e-4);  // U = 3, variance 16 / 12 * (9 - 48 / 56)
    EXPECT_DOUBLE_EQ(rank_sum_p(low, low), 1);
    EXPECT_DOUBLE_EQ(rank_sum_p(low, {}), 1);
    const std::vector<double> same(5, 7.0);
    EXPECT_DOUBLE_EQ(rank_sum_p(same, same), 1);
}

TEST(RankSum, FindsADifferenceThatIsNotThereAsOftenAsItSays) {
    std::mt19937_64 random(29);
    int found = 0;
    constexpr int trials = 4000;
    for (int t = 0; t < trials; ++t) {
        std::vector<double> a = log_normal(random, 15, 2, 0.5);
        std::vector<double> b = log_normal(random, 40, 2, 0.5);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        found += rank_sum_p(a, b) < 0.05;
    }
    EXPECT_NEAR(static_cast<double>(found) / trials, 0.05, 0.012);
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "changeover_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace {

using namespace models;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<MeasuredSize> measure(const Curve& curve, double from, double to, double relative_error) {
    std::vector<MeasuredSize> sizes;
    for (double bytes = from; bytes <= to; bytes *= 2) {
        const double seconds = curve(bytes);
        sizes.push_back(
            {bytes, seconds, {seconds * std::exp(-relative_error), seconds * std::exp(relative_error)}});
    }
    return sizes;
}

std::vector<Better> who(const Changeover& changeover) {
    std::vector<Better> result;
    for (const SizeRange& range : changeover.ranges) {
        result.push_back(range.better);
    }
    return result;
}

void expect_no_gaps(const Changeover& changeover, double from, double to) {
    ASSERT_FALSE(changeover.ranges.empty());
    EXPECT_NEAR(changeover.ranges.front().from_bytes, from, 1e-6 * from);
    EXPECT_NEAR(changeover.ranges.back().to_bytes, to, 1e-6 * to);
    for (std::size_t i = 1; i < changeover.ranges.size(); ++i) {
        EXPECT_EQ(changeover.ranges[i].from_bytes, changeover.ranges[i - 1].to_bytes);
        EXPECT_NE(changeover.ranges[i].better, changeover.ranges[i - 1].better);
    }
}

// a = m, b = 100 sqrt(m): equal at 10,000 bytes; straight in log-log, so that interpolation is exact
const Curve steep = [](double bytes) { return bytes; };
const Curve flat = [](double bytes) { return 100 * std::sqrt(bytes); };

TEST(MeasuredChangeover, FindsTheCrossingBetweenSizes) {
    const Changeover result =
        measured_changeover(measure(steep, 8, 1 << 20, 0), measure(flat, 8, 1 << 20, 0));
    expect_no_gaps(result, 8, 1 << 20);
    EXPECT_EQ(who(result), (std::vector{Better::a, Better::b}));
    ASSERT_EQ(result.crossings.size(), 1U);
    EXPECT_NEAR(result.crossings[0].bytes, 10000, 0.01);
    EXPECT_NEAR(result.crossings[0].low_bytes, 10000, 0.01);
    EXPECT_NEAR(result.crossings[0].high_bytes, 10000, 0.01);
}

// log(a / b) = log(m / 10000) / 2; with 10% on both times it is known to sqrt(2) 10%
TEST(MeasuredChangeover, GivesTheRangeInWhichTheSignCanChange) {
    const Changeover result =
        measured_changeover(measure(steep, 8, 1 << 20, 0.1), measure(flat, 8, 1 << 20, 0.1));
    EXPECT_EQ(who(result), (std::vector{Better::a, Better::tie, Better::b}));
    expect_no_gaps(result, 8, 1 << 20);
    ASSERT_EQ(result.crossings.size(), 1U);
    const double factor = std::exp(2 * std::sqrt(2.0) * 0.1);
    EXPECT_NEAR(result.crossings[0].bytes, 10000, 0.01);
    EXPECT_NEAR(result.crossings[0].low_bytes, 10000 / factor, 0.01);
    EXPECT_NEAR(result.crossings[0].high_bytes, 10000 * factor, 0.01);
    EXPECT_EQ(result.ranges[1].from_bytes, result.crossings[0].low_bytes);
    EXPECT_EQ(result.ranges[1].to_bytes, result.crossings[0].high_bytes);
}

TEST(MeasuredChangeover, FindsNone) {
    const Curve slower = [](double bytes) { return 1.3 * steep(bytes); };
    const Changeover result =
        measured_changeover(measure(steep, 8, 1 << 20, 0.05), measure(slower, 8, 1 << 20, 0.05));
    EXPECT_EQ(who(result), std::vector{Better::a});
    EXPECT_TRUE(result.crossings.empty());
}

// log(a / b) is a parabola of the octave with zeros at 10 and 14
TEST(MeasuredChangeover, FindsSeveral) {
    const Curve twice = [](double bytes) {
        const double octave = std::log2(bytes);
        return steep(bytes) * std::exp(0.1 * (octave - 10) * (octave - 14));
    };
    const Changeover result =
        measured_changeover(measure(twice, 8, 1 << 20, 0.05), measure(steep, 8, 1 << 20, 0.05));
    EXPECT_EQ(who(result), (std::vector{Better::b, Better::tie, Better::a, Better::tie, Better::b}));
    ASSERT_EQ(result.crossings.size(), 2U);
    EXPECT_NEAR(result.crossings[0].bytes, 1 << 10, 1);
    EXPECT_NEAR(result.crossings[1].bytes, 1 << 14, 1);
}

TEST(MeasuredChangeover, NamesATie) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> noise(0, 0.02);
    const Curve noisy = [&](double bytes) { return steep(bytes) * std::exp(noise(random)); };
    const Changeover same =
        measured_changeover(measure(noisy, 8, 1 << 20, 0.08), measure(noisy, 8, 1 << 20, 0.08));
    EXPECT_EQ(who(same), std::vector{Better::tie});
    EXPECT_TRUE(same.crossings.empty()) << "what changes within a tie is noise";

    // a wins, the sizes in the middle are equal, a wins again: no crossing
    std::vector<MeasuredSize> a = measure(steep, 8, 1 << 20, 0.02);
    const Curve slower = [](double bytes) {
        return bytes < 1000 || bytes > 9000 ? 1.5 * bytes : 0.99 * bytes;
    };
    const Changeover touching = measured_changeover(a, measure(slower, 8, 1 << 20, 0.02));
    EXPECT_EQ(who(touching), (std::vector{Better::a, Better::tie, Better::a}));
    EXPECT_TRUE(touching.crossings.empty());

    // equal until 1000, then a wins
    const Curve later = [](double bytes) { return bytes < 1000 ? bytes : 2 * bytes; };
    const Changeover open = measured_changeover(a, measure(later, 8, 1 << 20, 0.02));
    EXPECT_EQ(who(open), (std::vector{Better::tie, Better::a}));
    EXPECT_TRUE(open.crossings.empty());
}

TEST(MeasuredChangeover, TooFewSamplesAreATie) {
    std::vector<MeasuredSize> a = measure(steep, 1024, 4096, 0.01);
    std::vector<MeasuredSize> b = measure(steep, 1024, 4096, 0.01);
    for (MeasuredSize& size : b) {
        size.median_seconds *= 5;
        size.interval = {-infinity, infinity};
    }
    EXPECT_EQ(who(measured_changeover(a, b)), std::vector{Better::tie});
}

TEST(MeasuredChangeover, AnswersForASingleSize) {
    const Changeover single =
        measured_changeover(measure(steep, 1024, 1024, 0.01), measure(flat, 1024, 1024, 0.01));
    ASSERT_EQ(who(single), std::vector{Better::a});
    EXPECT_EQ(single.ranges[0].from_bytes, 1024);
    EXPECT_EQ(single.ranges[0].to_bytes, 1024);
    EXPECT_TRUE(single.crossings.empty());
}

// Thakur, Rabenseifner and Gropp 2005: broadcast by a binomial tree, log2 P (alpha + m beta), and by scatter
// and ring, (log2 P + P - 1) alpha + 2 (P - 1) / P m beta
TEST(ModelledChangeover, AgreesWithTheClosedForm) {
    constexpr double ranks = 16;
    constexpr double alpha = 30e-6;
    constexpr double beta = 1 / 11.9e6;
    const Curve binomial = [&](double m) { return std::log2(ranks) * (alpha + m * beta); };
    const Curve ring = [&](double m) {
        return (std::log2(ranks) + ranks - 1) * alpha + 2 * (ranks - 1) / ranks * m * beta;
    };
    const double expected = (ranks - 1) * alpha / ((std::log2(ranks) - 2 * (ranks - 1) / ranks) * beta);
    const Changeover result = modelled_changeover(binomial, ring, 8, 1 << 22);
    expect_no_gaps(result, 8, 1 << 22);
    EXPECT_EQ(who(result), (std::vector{Better::a, Better::b}));
    ASSERT_EQ(result.crossings.size(), 1U);
    EXPECT_NEAR(result.crossings[0].bytes, expected, 1e-4 * expected);

    const Changeover with_tie = modelled_changeover(binomial, ring, 8, 1 << 22, 0.05);
    EXPECT_EQ(who(with_tie), (std::vector{Better::a, Better::tie, Better::b}));
    ASSERT_EQ(with_tie.crossings.size(), 1U);
    const double low = with_tie.crossings[0].low_bytes;
    const double high = with_tie.crossings[0].high_bytes;
    EXPECT_NEAR(ring(low) / binomial(low), 1.05, 1e-6);
    EXPECT_NEAR(binomial(high) / ring(high), 1.05, 1e-6);
    EXPECT_TRUE(modelled_changeover(binomial, ring, 8, 1024).crossings.empty());
}

TEST(ModelledChangeover, FindsJumpsAndSeveralCrossings) {
    const Curve jump = [](double bytes) { return bytes < 12345 ? 0.5 : 2.0; };
    const Curve constant = [](double) { return 1.0; };
    const Changeover one = modelled_changeover(jump, constant, 1, 1 << 20);
    ASSERT_EQ(one.crossings.size(), 1U);
    EXPECT_NEAR(one.crossings[0].bytes, 12345, 0.01);

    const Curve wave = [](double bytes) {
        return std::exp(std::sin(std::log2(bytes) * 3.14159265358979 / 3));
    };
    const Changeover many = modelled_changeover(wave, constant, 2, 1 << 20);
    ASSERT_EQ(many.crossings.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_NEAR(std::log2(many.crossings[i].bytes), 3.0 * static_cast<double>(i + 1), 1e-6);
    }
    EXPECT_EQ(who(modelled_changeover(constant, constant, 1, 1024)), std::vector{Better::tie});
}

// The library changes its protocol at 12288 bytes, between two measured sizes: the models know where, and are
// wrong by 20% to 40% in their level
TEST(CombinedChangeover, TakesTheShapeFromTheModelAndTheLevelFromTheMeasurements) {
    const Curve model_a = [](double m) { return 10 + 0.001 * m; };
    const Curve model_b = [](double m) { return m < 12288 ? 30 : 15.0; };
    const Curve true_a = [&](double m) { return 1.4 * model_a(m); };
    const Curve true_b = [&](double m) { return 1.2 * model_b(m); };
    const auto a = measure(true_a, 1024, 1 << 17, 0.01);
    const auto b = measure(true_b, 1024, 1 << 17, 0.01);
    const Changeover combined = combined_changeover(model_a, model_b, a, b, 1024, 1 << 17);
    expect_no_gaps(combined, 1024, 1 << 17);
    ASSERT_EQ(combined.crossings.size(), 1U);
    EXPECT_NEAR(combined.crossings[0].bytes, 12288, 1);
    const Changeover measured = measured_changeover(a, b);
    ASSERT_EQ(measured.crossings.size(), 1U);
    EXPECT_GT(std::abs(measured.crossings[0].bytes - 12288), 200);
}

TEST(CombinedChangeover, ReachesBeyondTheMeasuredSizes) {
    const Curve model_a = [](double m) { return 0.9 * steep(m); };
    const Curve model_b = [](double m) { return 1.2 * flat(m); };
    const auto crossing_beyond = [&](const Curve& true_a) {
        const auto a = measure(true_a, 64, 4096, 0.01);
        return combined_changeover(model_a, model_b, a, measure(flat, 64, 4096, 0.01), 8, 1 << 20);
    };
    const Changeover exact = crossing_beyond(steep);
    expect_no_gaps(exact, 8, 1 << 20);
    ASSERT_EQ(exact.crossings.size(), 1U);
    EXPECT_NEAR(exact.crossings[0].bytes, 10000, 0.1);
    EXPECT_LT(exact.crossings[0].high_bytes, 10500);

    // a model that errs from size to size is trusted less the further it reaches
    const Changeover rough =
        crossing_beyond([](double m) { return m * (std::lround(std::log2(m)) % 2 ? 1.05 : 1 / 1.05); });
    ASSERT_EQ(rough.crossings.size(), 1U);
    EXPECT_LT(rough.crossings[0].low_bytes, 0.75 * rough.crossings[0].bytes);
    EXPECT_GT(rough.crossings[0].high_bytes, rough.crossings[0].bytes / 0.75);
}

TEST(CombinedChangeover, EqualsTheMeasurementsAtMeasuredSizes) {
    const Curve model = [](double m) { return 1 + m; };
    const auto a = measure(steep, 8, 1 << 20, 0);
    const auto b = measure(flat, 8, 1 << 20, 0);
    // with the same model for both, all of the difference comes from the measurements
    const Changeover combined = combined_changeover(model, model, a, b, 8, 1 << 20);
    ASSERT_EQ(combined.crossings.size(), 1U);
    EXPECT_NEAR(combined.crossings[0].bytes, 10000, 0.01);
}

TEST(Changeover, RefusesWhatMakesNoSense) {
    const auto good = measure(steep, 8, 64, 0.1);
    auto other_size = good;
    other_size[1].bytes = 17;
    auto falling = good;
    falling[2].bytes = 1;
    auto no_time = good;
    no_time[0].median_seconds = 0;
    const Curve nothing = [](double) { return 0.0; };
    EXPECT_THROW(measured_changeover({}, {}), std::invalid_argument);
    EXPECT_THROW(measured_changeover(good, std::span(good).first(2)), std::invalid_argument);
    EXPECT_THROW(measured_changeover(good, other_size), std::invalid_argument);
    EXPECT_THROW(measured_changeover(falling, falling), std::invalid_argument);
    EXPECT_THROW(measured_changeover(good, no_time), std::invalid_argument);
    EXPECT_THROW(modelled_changeover(steep, nothing, 1, 10), std::invalid_argument);
    EXPECT_THROW(modelled_changeover(steep, flat, 0, 10), std::invalid_argument);
    EXPECT_THROW(combined_changeover(steep, flat, std::span(good).first(1), std::span(good).first(1), 8, 64),
                 std::invalid_argument);
}

}  // namespace

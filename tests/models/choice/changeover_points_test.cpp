// SPDX-License-Identifier: MIT
// Curves with known crossings. With the same model for both algorithms, all of the difference comes from the
// measurements; with right measurements at two sizes, all of the shape comes from the models.
#include "changeover_points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace {

using namespace models;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t from = 8;
constexpr std::size_t to = 1 << 20;

std::vector<MeasuredSize> measure(const Curve& curve, std::size_t first, std::size_t last,
                                  double relative_error) {
    std::vector<MeasuredSize> sizes;
    for (std::size_t bytes = first; bytes <= last; bytes *= 2) {
        const double seconds = curve(static_cast<double>(bytes));
        sizes.push_back(
            {bytes, seconds, {seconds * std::exp(-relative_error), seconds * std::exp(relative_error)}});
    }
    return sizes;
}

using Ranges = std::vector<SizeRange>;

// No model: what was measured decides
Ranges by_measurements(const std::vector<MeasuredSize>& a, const std::vector<MeasuredSize>& b) {
    const Curve same = [](double bytes) { return 1 + bytes; };
    return combined_changeover(same, same, a, b, a.front().bytes, a.back().bytes);
}

Ranges by_measurements(const Curve& a, const Curve& b, double relative_error) {
    return by_measurements(measure(a, from, to, relative_error), measure(b, from, to, relative_error));
}

// Measurements that agree with the models, at the two ends
Ranges by_models(const Curve& a, const Curve& b, std::size_t first, std::size_t last) {
    const auto ends = [&](const Curve& curve) {
        std::vector<MeasuredSize> sizes;
        for (const std::size_t bytes : {first, last}) {
            const double seconds = curve(static_cast<double>(bytes));
            sizes.push_back({bytes, seconds, {seconds, seconds}});
        }
        return sizes;
    };
    return combined_changeover(a, b, ends(a), ends(b), first, last);
}

std::vector<Better> better_of(const Ranges& ranges) {
    std::vector<Better> result;
    for (const SizeRange& range : ranges) {
        result.push_back(range.better);
    }
    return result;
}

void expect_no_gaps(const Ranges& ranges, double first, double last) {
    ASSERT_FALSE(ranges.empty());
    EXPECT_NEAR(ranges.front().from_bytes, first, 1e-6 * first);
    EXPECT_NEAR(ranges.back().to_bytes, last, 1e-6 * last);
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        EXPECT_EQ(ranges[i].from_bytes, ranges[i - 1].to_bytes);
        EXPECT_NE(ranges[i].better, ranges[i - 1].better);
    }
}

// a = m, b = 100 sqrt(m): equal at 10,000 bytes; straight in log-log, so that interpolation is exact
const Curve steep = [](double bytes) { return bytes; };
const Curve flat = [](double bytes) { return 100 * std::sqrt(bytes); };

TEST(CombinedChangeover, FindsTheCrossingBetweenSizes) {
    const Ranges ranges = by_measurements(steep, flat, 0);
    expect_no_gaps(ranges, from, to);
    ASSERT_EQ(better_of(ranges), (std::vector{Better::a, Better::b}));
    EXPECT_NEAR(ranges[1].from_bytes, 10000, 0.01);
}

// log(a / b) = log(m / 10000) / 2; with 10% on both times it is known to sqrt(2) 10%
TEST(CombinedChangeover, IsATieWhereTheSignCanChange) {
    const Ranges ranges = by_measurements(steep, flat, 0.1);
    expect_no_gaps(ranges, from, to);
    ASSERT_EQ(better_of(ranges), (std::vector{Better::a, Better::tie, Better::b}));
    const double factor = std::exp(2 * std::sqrt(2.0) * 0.1);
    EXPECT_NEAR(ranges[1].from_bytes, 10000 / factor, 0.01);
    EXPECT_NEAR(ranges[1].to_bytes, 10000 * factor, 0.01);
}

TEST(CombinedChangeover, FindsNone) {
    const Curve slower = [](double bytes) { return 1.3 * steep(bytes); };
    EXPECT_EQ(better_of(by_measurements(steep, slower, 0.05)), std::vector{Better::a});
}

// log(a / b) is a parabola of the octave with zeros at 10 and 14
TEST(CombinedChangeover, FindsSeveral) {
    const Curve twice = [](double bytes) {
        const double octave = std::log2(bytes);
        return steep(bytes) * std::exp(0.1 * (octave - 10) * (octave - 14));
    };
    const Ranges ranges = by_measurements(twice, steep, 0.05);
    ASSERT_EQ(better_of(ranges), (std::vector{Better::b, Better::tie, Better::a, Better::tie, Better::b}));
    EXPECT_LT(ranges[1].from_bytes, 1 << 10);
    EXPECT_GT(ranges[1].to_bytes, 1 << 10);
    EXPECT_LT(ranges[3].from_bytes, 1 << 14);
    EXPECT_GT(ranges[3].to_bytes, 1 << 14);
}

TEST(CombinedChangeover, NoiseIsATie) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> noise(0, 0.02);
    const Curve noisy = [&](double bytes) { return steep(bytes) * std::exp(noise(random)); };
    EXPECT_EQ(better_of(by_measurements(noisy, noisy, 0.08)), std::vector{Better::tie});

    // a wins, the sizes in the middle are equal, a wins again
    const Curve touches = [](double bytes) {
        return bytes < 1000 || bytes > 9000 ? 1.5 * bytes : 0.99 * bytes;
    };
    EXPECT_EQ(better_of(by_measurements(steep, touches, 0.02)),
              (std::vector{Better::a, Better::tie, Better::a}));
}

TEST(CombinedChangeover, TooFewSamplesAreATie) {
    const std::vector<MeasuredSize> a = measure(steep, 1024, 4096, 0.01);
    std::vector<MeasuredSize> b = a;
    for (MeasuredSize& size : b) {
        size.median_seconds *= 5;
        size.interval = {-infinity, infinity};
    }
    EXPECT_EQ(better_of(by_measurements(a, b)), std::vector{Better::tie});
}

// Thakur, Rabenseifner and Gropp 2005: broadcast by a binomial tree, log2 P (alpha + m beta), and by scatter
// and ring, (log2 P + P - 1) alpha + 2 (P - 1) / P m beta
TEST(CombinedChangeover, AgreesWithTheClosedForm) {
    constexpr double ranks = 16;
    constexpr double alpha = 30e-6;
    constexpr double beta = 1 / 11.9e6;
    const Curve binomial = [&](double m) { return std::log2(ranks) * (alpha + m * beta); };
    const Curve ring = [&](double m) {
        return (std::log2(ranks) + ranks - 1) * alpha + 2 * (ranks - 1) / ranks * m * beta;
    };
    const double expected = (ranks - 1) * alpha / ((std::log2(ranks) - 2 * (ranks - 1) / ranks) * beta);
    const Ranges ranges = by_models(binomial, ring, 8, 1 << 22);
    expect_no_gaps(ranges, 8, 1 << 22);
    ASSERT_EQ(better_of(ranges), (std::vector{Better::a, Better::b}));
    EXPECT_NEAR(ranges[1].from_bytes, expected, 1e-4 * expected);
    EXPECT_EQ(better_of(by_models(binomial, ring, 8, 1024)), std::vector{Better::a});
}

TEST(CombinedChangeover, FindsJumpsAndWavesOfAModel) {
    const Curve jump = [](double bytes) { return bytes < 12345 ? 0.5 : 2.0; };
    const Curve constant = [](double) { return 1.0; };
    const Ranges one = by_models(jump, constant, 1, 1 << 20);
    ASSERT_EQ(one.size(), 2u);
    EXPECT_NEAR(one[1].from_bytes, 12345, 0.01);

    const Curve wave = [](double bytes) {
        return std::exp(std::sin(std::log2(bytes) * 3.14159265358979 / 3));
    };
    const Ranges many = by_models(wave, constant, 2, 1 << 20);
    ASSERT_EQ(many.size(), 7u);
    for (std::size_t i = 1; i < many.size(); ++i) {
        EXPECT_NEAR(std::log2(many[i].from_bytes), 3.0 * static_cast<double>(i), 1e-6);
    }
    EXPECT_EQ(better_of(by_models(constant, constant, 1, 1024)), std::vector{Better::tie});
}

// The library changes its protocol at 12288 bytes, between two measured sizes: the models know where, and are
// wrong by 20% to 40% in their level
TEST(CombinedChangeover, TakesTheShapeFromTheModelAndTheLevelFromTheMeasurements) {
    const Curve model_a = [](double m) { return 10 + 0.001 * m; };
    const Curve model_b = [](double m) { return m < 12288 ? 30 : 15.0; };
    const auto a = measure([&](double m) { return 1.4 * model_a(m); }, 1024, 1 << 17, 0.01);
    const auto b = measure([&](double m) { return 1.2 * model_b(m); }, 1024, 1 << 17, 0.01);
    const Ranges combined = combined_changeover(model_a, model_b, a, b, 1024, 1 << 17);
    expect_no_gaps(combined, 1024, 1 << 17);
    ASSERT_EQ(better_of(combined), (std::vector{Better::a, Better::b}));
    EXPECT_NEAR(combined[1].from_bytes, 12288, 1);
    const Ranges measured = by_measurements(a, b);
    ASSERT_GE(measured.size(), 2u);
    EXPECT_GT(std::abs(measured.back().from_bytes - 12288), 200) << "interpolation cannot know";
}

TEST(CombinedChangeover, ReachesBeyondTheMeasuredSizes) {
    const Curve model_a = [](double m) { return 0.9 * steep(m); };
    const Curve model_b = [](double m) { return 1.2 * flat(m); };
    const auto tie_beyond = [&](const Curve& true_a) {
        const Ranges ranges = combined_changeover(model_a, model_b, measure(true_a, 64, 4096, 0.01),
                                                  measure(flat, 64, 4096, 0.01), from, to);
        expect_no_gaps(ranges, from, to);
        EXPECT_EQ(better_of(ranges), (std::vector{Better::a, Better::tie, Better::b}));
        return ranges.at(1);
    };
    const SizeRange exact = tie_beyond(steep);
    EXPECT_LT(exact.from_bytes, 10000);
    EXPECT_GT(exact.to_bytes, 10000);
    EXPECT_LT(exact.to_bytes, 10500);

    // a model that errs from size to size is trusted less the further it reaches
    const SizeRange rough =
        tie_beyond([](double m) { return m * (std::lround(std::log2(m)) % 2 ? 1.05 : 1 / 1.05); });
    EXPECT_LT(rough.from_bytes, 0.75 * 10000);
    EXPECT_GT(rough.to_bytes, 10000 / 0.75);
}

TEST(CombinedChangeover, RefusesWhatMakesNoSense) {
    const auto good = measure(steep, 8, 64, 0.1);
    const auto refuses = [&](std::span<const MeasuredSize> a, std::span<const MeasuredSize> b,
                             std::size_t first = 8, const Curve& model = flat) {
        EXPECT_THROW(combined_changeover(steep, model, a, b, first, 64), std::invalid_argument);
    };
    EXPECT_NO_THROW(combined_changeover(steep, flat, good, good, 8, 64));
    auto other_size = good;
    other_size[1].bytes = 17;
    auto falling = good;
    falling[2].bytes = 1;
    auto no_time = good;
    no_time[0].median_seconds = 0;
    refuses({}, {});
    refuses(std::span(good).first(1), std::span(good).first(1));
    refuses(good, std::span(good).first(2));
    refuses(good, other_size);
    refuses(falling, falling);
    refuses(good, no_time);
    refuses(good, good, 0);
    refuses(good, good, 65);
    refuses(good, good, 8, [](double) { return 0.0; });
}

TEST(LastSizeBefore, IsTheOneWayToASize) {
    EXPECT_EQ(last_size_before(4095.999), 4095u);
    EXPECT_EQ(last_size_before(4096), 4096u) << "the point itself belongs to the range before";
    EXPECT_EQ(last_size_before(0.5), 0u);
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "point_to_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace {

using namespace models;

// 5% log-normal noise; one in twenty times is 3 to 20 times too long
class Noise {
  public:
    explicit Noise(unsigned seed) : random_(seed) {}
    double operator()(double seconds) {
        const double late = uniform_(random_) < 0.05 ? 3 + 17 * uniform_(random_) : 1;
        return seconds * std::exp(normal_(random_)) * late;
    }

  private:
    std::mt19937_64 random_;
    std::normal_distribution<double> normal_{0, 0.05};
    std::uniform_real_distribution<double> uniform_{0, 1};
};

// Round trips of one message: twice `one_way`
std::vector<RoundTrip> measure(const std::function<double(double bytes)>& one_way, int repetitions,
                               Noise& noise) {
    std::vector<RoundTrip> trips;
    for (double octave = 3; octave <= 22; octave += 0.5) {
        const double bytes = std::round(std::exp2(octave));
        for (int r = 0; r < repetitions; ++r) {
            trips.push_back({1, 0, bytes, noise(2 * one_way(bytes))});
        }
    }
    return trips;
}

double straight(double bytes) {
    return 30e-6 + bytes / 11.9e6;
}

// Eager up to 64 KiB with a copy, then rendezvous: another latency, no copy
double with_boundary(double bytes) {
    return bytes <= 65536 ? 30e-6 + bytes / 11.9e6 : 400e-6 + bytes / 17e6;
}

// What a segment says of one message: the sum is known even where its parts are not
double one_way_seconds(const LogGpSegment& segment, double bytes) {
    return segment.latency_seconds.value + segment.send_overhead_seconds.value +
           segment.receive_overhead_seconds.value + (bytes - 1) * segment.gap_seconds_per_byte.value;
}

void expect_near(const FittedParameter& parameter, double truth, double relative) {
    EXPECT_EQ(parameter.determined, Determined::estimated) << parameter.name;
    EXPECT_NEAR(parameter.value / truth, 1, relative) << parameter.name;
    EXPECT_LT(parameter.interval.low, parameter.value) << parameter.name;
    EXPECT_GT(parameter.interval.high, parameter.value) << parameter.name;
}

TEST(LogGpSegments, AreOneForAStraightLine) {
    Noise noise(1);
    const auto segments = log_gp(measure(straight, 5, noise));
    ASSERT_EQ(segments.size(), 1U);
    EXPECT_EQ(segments[0].from_bytes, 8);
    EXPECT_EQ(segments[0].to_bytes, 1 << 22);
    expect_near(segments[0].gap_seconds_per_byte, 1 / 11.9e6, 0.03);
    EXPECT_NEAR(one_way_seconds(segments[0], 8) / straight(8), 1, 0.03);
    EXPECT_NEAR(segments[0].noise, 0.05, 0.015);
}

TEST(LogGpSegments, AreSeldomInvented) {
    for (const int repetitions : {1, 5}) {
        int invented = 0;
        constexpr int trials = 60;
        for (unsigned t = 0; t < trials; ++t) {
            Noise noise(100 + t);
            invented += log_gp(measure(straight, repetitions, noise)).size() > 1;
        }
        std::printf("%d repetitions: boundary invented in %d of %d\n", repetitions, invented, trials);
        EXPECT_LE(invented, 6) << repetitions;
    }
}

TEST(LogGpSegments, HaveTheBoundaryOfTheProtocols) {
    int found = 0;
    constexpr int trials = 30;
    for (unsigned t = 0; t < trials; ++t) {
        Noise noise(200 + t);
        const auto segments = log_gp(measure(with_boundary, 3, noise));
        found += segments.size() == 2 && segments[0].to_bytes == 65536 && segments[1].from_bytes == 92682;
    }
    std::printf("boundary found at its place in %d of %d\n", found, trials);
    EXPECT_GE(found, 0.9 * trials);

    Noise noise(2);
    const auto segments = log_gp(measure(with_boundary, 20, noise));
    ASSERT_EQ(segments.size(), 2U);
    EXPECT_NEAR(one_way_seconds(segments[0], 8) / straight(8), 1, 0.05);
    expect_near(segments[0].gap_seconds_per_byte, 1 / 11.9e6, 0.05);
    expect_near(segments[1].gap_seconds_per_byte, 1 / 17e6, 0.05);
    EXPECT_EQ(log_gp(measure(with_boundary, 3, noise), {}, 1).size(), 1U) << "one segment was asked for";
}

TEST(LogGpSegments, WorkFromTwoSizesAndRefuseNone) {
    const auto segments = log_gp(std::vector<RoundTrip>{{1, 0, 1, 2e-5}, {1, 0, 1e6, 2e-5 + 2e-2}});
    ASSERT_EQ(segments.size(), 1U);
    EXPECT_NEAR(one_way_seconds(segments[0], 1), 1e-5, 1e-8);
    EXPECT_NEAR(segments[0].gap_seconds_per_byte.value, 1e-8, 1e-11);
    EXPECT_THROW(log_gp({}), std::invalid_argument);
    EXPECT_THROW(log_gp(std::vector<RoundTrip>{{1, 0, 8, 0}}), std::invalid_argument);
    EXPECT_THROW(log_gp(std::vector<RoundTrip>{{16, 0, 8, 1e-4}}), std::invalid_argument)
        << "several messages give no segments";
}

struct LogGp {
    double l, o_s, o_r, g, per_byte;
    // Hoefler, Lichei and Rehm 2007, with two overheads
    double round_trip(int n, double d, double s) const {
        return 2 * (l + o_s + o_r + (s - 1) * per_byte) + (n - 1) * std::max(o_s + d, g + (s - 1) * per_byte);
    }
};

constexpr LogGp eager = {20e-6, 5e-6, 5e-6, 8e-6, 5e-9};
constexpr LogGp rendezvous = {90e-6, 12e-6, 12e-6, 40e-6, 2e-9};

const LogGp& only_eager(double) {
    return eager;
}

const LogGp& eager_until_32k(double bytes) {
    return bytes <= 32768 ? eager : rendezvous;
}

std::vector<RoundTrip> round_trips(const std::function<const LogGp&(double bytes)>& parameters,
                                   double to_octave, Noise& noise) {
    std::vector<RoundTrip> trips;
    for (double octave = 0; octave <= to_octave; octave += 0.5) {
        const double bytes = std::round(std::exp2(octave));
        const LogGp& p = parameters(bytes);
        const double pause = 1.2 * (p.g + bytes * p.per_byte);  // above the gap
        for (int r = 0; r < 8; ++r) {
            trips.push_back({1, 0, bytes, noise(p.round_trip(1, 0, bytes))});
            trips.push_back({16, 0, bytes, noise(p.round_trip(16, 0, bytes))});
            trips.push_back({16, pause, bytes, noise(p.round_trip(16, pause, bytes))});
        }
    }
    return trips;
}

void expect_log_gp(const LogGpSegment& segment, const LogGp& truth, double relative) {
    expect_near(segment.latency_seconds, truth.l, relative);
    expect_near(segment.send_overhead_seconds, truth.o_s, relative);
    expect_near(segment.receive_overhead_seconds, truth.o_r, relative);
    expect_near(segment.gap_seconds, truth.g, relative);
    expect_near(segment.gap_seconds_per_byte, truth.per_byte, relative);
}

TEST(LogGp, RecoversTheParametersOfOneSegment) {
    Noise noise(3);
    const auto segments = log_gp(round_trips(only_eager, 16, noise));
    ASSERT_EQ(segments.size(), 1U);
    expect_log_gp(segments[0], eager, 0.05);
    EXPECT_NEAR(one_way_seconds(segments[0], 1000), eager.round_trip(1, 0, 1000) / 2, 0.05 * 35e-6);
}

TEST(LogGp, RecoversTheParametersOfTwoSegments) {
    Noise noise(4);
    const auto segments = log_gp(round_trips(eager_until_32k, 20, noise));
    ASSERT_EQ(segments.size(), 2U);
    EXPECT_EQ(segments[0].to_bytes, 32768);
    EXPECT_EQ(segments[1].from_bytes, 46341);
    expect_log_gp(segments[0], eager, 0.06);
    expect_near(segments[1].gap_seconds_per_byte, rendezvous.per_byte, 0.03);
    for (const double bytes : {8.0, 32768.0, 65536.0, 1048576.0}) {
        const double truth = eager_until_32k(bytes).round_trip(1, 0, bytes) / 2;
        const LogGpSegment& segment = bytes <= 32768 ? segments[0] : segments[1];
        EXPECT_NEAR(one_way_seconds(segment, bytes) / truth, 1, 0.05) << bytes;
    }
}

TEST(LogGp, IntervalsCoverTheTruth) {
    int covered[4] = {};
    constexpr int trials = 100;
    for (unsigned t = 0; t < trials; ++t) {
        Noise noise(300 + t);
        const LogGpSegment segment = log_gp(round_trips(only_eager, 16, noise), {}, 1).front();
        const auto covers = [](const FittedParameter& parameter, double truth) {
            return parameter.interval.low <= truth && truth <= parameter.interval.high;
        };
        covered[0] += covers(segment.latency_seconds, eager.l);
        covered[1] += covers(segment.send_overhead_seconds, eager.o_s);
        covered[2] += covers(segment.gap_seconds, eager.g);
        covered[3] += covers(segment.gap_seconds_per_byte, eager.per_byte);
    }
    for (const int count : covered) {
        EXPECT_GE(count, 88);
    }
}

TEST(LogGp, ReceiveCallsTellTheReceiveOverhead) {
    const LogGp uneven = {20e-6, 5e-6, 9e-6, 8e-6, 5e-9};
    const auto parameters = [&](double) -> const LogGp& { return uneven; };
    Noise noise(5);
    const auto trips = round_trips(parameters, 16, noise);
    std::vector<ReceiveCall> receive_calls;
    for (int i = 0; i < 50; ++i) {
        receive_calls.push_back({std::exp2(i % 16), noise(uneven.o_r)});
    }
    const auto segments = log_gp(trips, receive_calls);
    ASSERT_EQ(segments.size(), 1U);
    expect_log_gp(segments[0], uneven, 0.05);
    EXPECT_EQ(segments[0].receive_overhead_seconds.name, "o_r");
}

TEST(LogGp, SaysWhatWasNotMeasured) {
    Noise noise(6);
    std::vector<RoundTrip> single = round_trips(only_eager, 16, noise);
    std::erase_if(single, [](const RoundTrip& trip) { return trip.messages > 1; });
    const auto segments = log_gp(single);
    ASSERT_EQ(segments.size(), 1U);
    EXPECT_EQ(segments[0].latency_seconds.determined, Determined::unknown);
    EXPECT_EQ(segments[0].send_overhead_seconds.determined, Determined::unknown);
    EXPECT_EQ(segments[0].gap_seconds.determined, Determined::unknown);
    expect_near(segments[0].gap_seconds_per_byte, eager.per_byte, 0.05);
    EXPECT_NEAR(one_way_seconds(segments[0], 8), eager.round_trip(1, 0, 8) / 2, 0.03 * 30e-6)
        << "the sum is known";
    EXPECT_THROW(log_gp({}), std::invalid_argument);
}

}  // namespace

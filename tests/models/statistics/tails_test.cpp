// SPDX-License-Identifier: MIT
#include "tails.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using namespace models;

// 101 times from 1 to 2 ms, evenly
std::vector<double> even_times() {
    std::vector<double> seconds;
    for (int i = 0; i <= 100; ++i) {
        seconds.push_back(1e-3 + 1e-5 * i);
    }
    return seconds;
}

TEST(Tails, Quantiles) {
    const Tail tail = tail_of(even_times());
    EXPECT_EQ(tail.count, 101u);
    EXPECT_DOUBLE_EQ(tail.min, 1e-3);
    EXPECT_NEAR(tail.median, 1.5e-3, 1e-12);
    EXPECT_NEAR(tail.p90, 1.9e-3, 1e-12);
    EXPECT_NEAR(tail.p99, 1.99e-3, 1e-12);
    EXPECT_NEAR(tail.max, 2e-3, 1e-12);
    EXPECT_EQ(tail.shares_beyond.front(), 0);
    EXPECT_EQ(tail.time_outs, 0u);
}

TEST(Tails, ShareFarAboveTheSmallest) {
    const Tail tail = tail_of(std::vector<double>{1, 1.5, 2, 2.1, 3, 3.1, 5.5, 9, 10, 100});
    ASSERT_EQ(far_factors, (std::array{2.0, 3.0, 5.0, 10.0}));
    EXPECT_EQ(tail.shares_beyond, (std::array{0.7, 0.5, 0.4, 0.1}));
    EXPECT_EQ(tail_of(std::vector<double>{3}).shares_beyond, (std::array{0.0, 0.0, 0.0, 0.0}));
}

TEST(Tails, TimeOutsAreAtTheirPlaces) {
    for (const double wait : {0.2, 0.204, 0.23, 0.4, 0.6, 0.8, 1.4, 1.6, 3.2}) {
        EXPECT_TRUE(is_like_time_out(wait)) << wait;
    }
    for (const double other : {0.0, 0.04, 0.15, 0.19, 0.3, 0.52, 1.1, 100.0, -0.2}) {
        EXPECT_FALSE(is_like_time_out(other)) << other;
    }
}

TEST(Tails, CountsTimeOutsAboveTheMedian) {
    std::vector<double> seconds = even_times();
    for (const double wait : {0.201, 0.205, 0.41, 0.61, 0.1, 0.3}) {
        seconds.push_back(1.5e-3 + wait);
    }
    std::sort(seconds.begin(), seconds.end());
    EXPECT_EQ(tail_of(seconds).time_outs, 4u);
}

TEST(Tails, WhatIsWithinTheSpreadIsNoTimeOut) {
    std::vector<double> seconds;
    for (int i = 0; i <= 100; ++i) {
        seconds.push_back(1 + 0.01 * i);  // up to 0.5 s above the median
    }
    EXPECT_EQ(tail_of(seconds).time_outs, 0u);
}

}  // namespace

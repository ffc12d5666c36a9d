// SPDX-License-Identifier: MIT
// Every metric of four ranks that begin and finish at known moments.
#include "repetition_time.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

RankTimes four_ranks() {
    RankTimes times(4);
    times.begin = {10, 11, 10.5, 12};
    times.finish = {13, 19, 11.5, 14};
    return times;
}

double by(Metric metric, const Pair& pair = {1, -1}) {
    return time_of(metric, four_ranks(), 9, pair);
}

TEST(RepetitionTime, OfEveryMetric) {
    EXPECT_DOUBLE_EQ(by(Metric::last_finish), 10) << "from the common start at 9";
    EXPECT_DOUBLE_EQ(by(Metric::root), 8);
    EXPECT_DOUBLE_EQ(by(Metric::mean), 3.5) << "of 3, 8, 1 and 2";
    EXPECT_DOUBLE_EQ(by(Metric::median), 3) << "the upper one of two in the middle";
    EXPECT_DOUBLE_EQ(by(Metric::min), 1);
    EXPECT_DOUBLE_EQ(by(Metric::max), 8);
    EXPECT_DOUBLE_EQ(by(Metric::span), 9);
    EXPECT_DOUBLE_EQ(by(Metric::arrival, {0, 3}), 1);
}

TEST(RepetitionTime, OfRanksThatArriveOneAfterTheOther) {
    RankTimes times = four_ranks();
    EXPECT_DOUBLE_EQ(times.waiting_since(10), 3 + 9 + 1.5 + 4) << "together";
    times.delay = {0, 1, 0, 2};
    EXPECT_DOUBLE_EQ(times.first_start(), 10);
    EXPECT_DOUBLE_EQ(times.last_start(), 10.5) << "the third rank is late, the others are as they should be";
    EXPECT_DOUBLE_EQ(times.waiting_since(10), 3 + 8 + 1.5 + 2);
    EXPECT_DOUBLE_EQ(time_of(Metric::last_finish, times, 10, {1, -1}), 7) << "from 12";
    EXPECT_DOUBLE_EQ(time_of(Metric::span, times, 10, {1, -1}), 9);
}

TEST(RepetitionTime, OfTheSlowestPair) {
    const std::vector<Pair> pairs = {{0, 2}, {3, 1}};
    EXPECT_EQ(slowest_pair(Metric::root, pairs, four_ranks(), 0), pairs[0]) << "3 against 2";
    EXPECT_EQ(slowest_pair(Metric::arrival, pairs, four_ranks(), 0), pairs[1]) << "-1.5 against 5";
    EXPECT_EQ(slowest_pair(Metric::root, {}, four_ranks(), 2).root, 2);
}

}  // namespace

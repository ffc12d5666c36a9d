// SPDX-License-Identifier: MIT
#include "event_clock.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner::trace;

TEST(EventClock, Rank0IsTheReference) {
    const FileSync sync{100, 50, 3, 0};
    const RankClock clock({&sync, 1}, true);
    EXPECT_EQ(clock.aligned(1000), 1000);
    EXPECT_EQ(clock.error_ns(), 0);
}

TEST(EventClock, WithoutSynchronisationTimesStay) {
    const RankClock clock({}, false);
    EXPECT_FALSE(clock.is_known());
    EXPECT_EQ(clock.aligned(1000), 1000);
}

// Offsets 100 and 300 ns, 1 us apart: the clock runs slow by a fifth
TEST(EventClock, DriftIsInterpolatedAndGoesOnOutside) {
    const std::vector<FileSync> syncs = {{1000, 100, 5, 0}, {2000, 300, 9, 0}};
    const RankClock clock(syncs, false);
    EXPECT_EQ(clock.aligned(1000), 1100);
    EXPECT_EQ(clock.aligned(1500), 1700);
    EXPECT_EQ(clock.aligned(2000), 2300);
    EXPECT_EQ(clock.aligned(3000), 3500);
    EXPECT_EQ(clock.aligned(0), -100);
    EXPECT_EQ(clock.error_ns(), 9) << "the larger one";
}

TEST(EventClock, ImpossibleRecordsAreIgnored) {
    const std::vector<FileSync> syncs = {{1000, 100, 5, 0}, {2000, INT64_MAX, 9, 0}};
    const RankClock clock(syncs, false);
    EXPECT_EQ(clock.aligned(2000), 2100);
    EXPECT_EQ(clock.error_ns(), 5);
}

}  // namespace

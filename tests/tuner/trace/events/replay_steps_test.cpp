// SPDX-License-Identifier: MIT
#include "replay_steps.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner::trace;

std::string line_of(std::vector<ReplaySpan> spans, std::int64_t begin_ns,
                    std::vector<ReplayArrival> arrivals = {}) {
    const auto steps = replay_steps(std::move(spans), std::move(arrivals), begin_ns);
    return steps ? replay_line(3, *steps) : "threads";
}

TEST(ReplaySteps, ARankComputesBetweenItsCalls) {
    EXPECT_EQ(line_of({{500, 520, 1, false}, {130, 150, 0, false}}, 100),
              "{\"type\":\"rank\",\"rank\":3,\"steps\":[[30,0],[350,1]]}\n");
    EXPECT_EQ(line_of({}, 100), "{\"type\":\"rank\",\"rank\":3,\"steps\":[]}\n");
}

// A start lasts as long as it does: the time to the next step begins with it
TEST(ReplaySteps, NonblockingCallsAreWaitedForWhereTheyWereComplete) {
    EXPECT_EQ(line_of({{100, 900, 5, true}, {200, 400, 0, false}, {300, 350, 6, true}}, 100),
              "{\"type\":\"rank\",\"rank\":3,\"steps\":"
              "[[0,5],[100,0],[0,6],[0,\"wait\",1],[500,\"wait\",0]]}\n");
}

// What arrives during the start is no sign of a wait.
TEST(ReplaySteps, AMessageThatLayThereShowsThatTheRankComputed) {
    EXPECT_EQ(line_of({{100, 1'000'000, 5, true}, {200, 1'200'000, 6, true}}, 100,
                      {{200, 950'000}, {0, 5'000}, {90'000, 900'200}, {1'010'000, 1'150'000}}),
              "{\"type\":\"rank\",\"rank\":3,\"steps\":"
              "[[0,5],[100,6],[900000,\"wait\",0],[150000,\"wait\",1]]}\n");
}

TEST(ReplaySteps, AMessageThatWasLateShowsThatTheRankWaited) {
    EXPECT_EQ(line_of({{100, 1'000'000, 5, true}}, 100, {{800'000, 900'000}}),
              "{\"type\":\"rank\",\"rank\":3,\"steps\":[[0,5],[0,\"wait\",0]]}\n");
}

TEST(ReplaySteps, AWaitIsBehindItsStart) {
    EXPECT_EQ(line_of({{100, 100, 5, true}}, 100),
              "{\"type\":\"rank\",\"rank\":3,\"steps\":[[0,5],[0,\"wait\",0]]}\n");
}

TEST(ReplaySteps, BlockingCallsThatOverlapAreOfThreads) {
    EXPECT_EQ(line_of({{100, 300, 0, false}, {200, 400, 1, false}}, 100), "threads");
}

}  // namespace

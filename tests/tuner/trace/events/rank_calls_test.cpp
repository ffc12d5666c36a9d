// SPDX-License-Identifier: MIT
#include "rank_calls.hpp"

#include <gtest/gtest.h>

#include "recorded_trace.hpp"

namespace {

using namespace tuner::trace;

TEST(TraceRankCalls, EventsAreGroupedByCall) {
    made_up::World world;
    world.layout = models::RankPlacement(2, 1);
    made_up::Recorder recorder(world);
    recorder.call("bcast", "binomial", 64);
    recorder.call("barrier", "dissemination", 0);
    const Recorded to;
    const Trace trace = written(recorder, to);
    const RankCalls root = calls_of(trace.ranks[0]);
    ASSERT_EQ(root.calls.size(), 2U);
    EXPECT_EQ(root.events_of(root.calls[0]).size(), 1U) << "one send";
    EXPECT_EQ(root.events_of(root.calls[1]).size(), 2U) << "a send and a receive";
    EXPECT_NE(root.calls[1].exit, nullptr);
    EXPECT_EQ(root.damaged, 0U);
}

TEST(TraceRankCalls, DamagedRecordsAreLeftOut) {
    made_up::World world;
    world.layout = models::RankPlacement(2, 1);
    made_up::Recorder recorder(world);
    recorder.call("bcast", "binomial", 64);
    recorder.events_of(0).at(1).kind = 77;
    const Recorded to;
    const Trace trace = written(recorder, to);
    const RankCalls root = calls_of(trace.ranks[0]);
    EXPECT_EQ(root.damaged, 1U);
    EXPECT_TRUE(root.events_of(root.calls.at(0)).empty());
}

}  // namespace

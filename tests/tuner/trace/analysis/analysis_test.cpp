// SPDX-License-Identifier: MIT
// Made-up traces whose late rank and costs are known.
#include "analysis.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "loaded_trace.hpp"
#include "trace_text.hpp"

namespace {

using namespace tuner::trace;

TEST(TraceAnalysis, LateRankIsNamed) {
    made_up::World world;
    world.late_rank = 5;
    made_up::Recorder recorder(world);
    for (int i = 0; i < 200; ++i) {
        recorder.call("allreduce", "recursive_doubling", 1024);
        recorder.meet();
    }
    const made_up::Loaded recorded(recorder);
    const RankArrivals* late = recorded.analysis().late_rank();
    ASSERT_NE(late, nullptr);
    EXPECT_EQ(late->rank, 5);
    EXPECT_GE(static_cast<double>(late->last), 0.99 * 200);
    EXPECT_NEAR(median_of(late->behind_seconds), 0.005, 0.0001);
    // seven ranks wait 5 ms in each call
    EXPECT_NEAR(late->caused_seconds, 200 * 7 * 0.005, 0.01 * 200 * 7 * 0.005);
    EXPECT_NEAR(recorded.analysis().costs.seconds[late_cost], late->caused_seconds, 1e-9);
    EXPECT_NE(findings_text(*recorded.loaded).find("rank 5 (made-up) was last in 100% of 200 calls, by 5 ms"),
              std::string::npos)
        << findings_text(*recorded.loaded);
    // the collective itself takes what it takes without
    EXPECT_LT(median_of(recorded.analysis().kinds.at(0).seconds), 0.001);
}

// Positions are counted in groups then, but the last one is one rank
TEST(TraceAnalysis, LastOfManyRanks) {
    made_up::World world;
    world.layout = models::RankPlacement(100, 2);
    world.late_rank = 199;
    made_up::Recorder recorder(world);
    for (int i = 0; i < 3; ++i) {
        recorder.call("barrier", "dissemination", 0);
    }
    const made_up::Loaded recorded(recorder);
    const Orders& arrivals = recorded.analysis().kinds.front().arrivals;
    EXPECT_EQ(arrivals.last.at(199), 3U);
    EXPECT_EQ(std::accumulate(arrivals.last.begin(), arrivals.last.end(), std::size_t{0}), 3U);
    EXPECT_NE(to_text(*recorded.loaded).find("most often last: rank 199 (made-up), in 100% of calls"),
              std::string::npos);
}

// Of a broadcast from rank 0, a leaf that is late makes nobody wait
TEST(TraceAnalysis, LateLeafOfABroadcastIsNotBlamed) {
    made_up::World world;
    world.late_rank = 7;
    made_up::Recorder recorder(world);
    for (int i = 0; i < 20; ++i) {
        recorder.call("bcast", "binomial", 1024);
        recorder.meet();
    }
    const made_up::Loaded recorded(recorder);
    EXPECT_EQ(recorded.analysis().late_rank(), nullptr);
    EXPECT_EQ(recorded.analysis().arrivals.at(7).last, 20U);
}

TEST(TraceAnalysis, OrdersAndWaits) {
    made_up::World world;
    world.layout = models::RankPlacement(4, 1);
    world.late_rank = 2;
    made_up::Recorder recorder(world);
    for (int i = 0; i < 10; ++i) {
        recorder.call("barrier", "dissemination", 8);
        recorder.meet();
    }
    const made_up::Loaded recorded(recorder);
    const Kind& kind = recorded.analysis().kinds.at(0);
    EXPECT_EQ(kind.arrivals.counts.at(2), (std::vector<std::size_t>{0, 0, 0, 10}));
    for (const std::size_t rank : {0U, 1U, 3U}) {
        EXPECT_NEAR(median_of(kind.arrivals.wait_seconds.at(rank)), 0.005, 1e-5);
        std::size_t sum = 0;
        for (const std::size_t count : kind.departures.counts.at(rank)) {
            sum += count;
        }
        EXPECT_EQ(sum, 10U);
    }
    EXPECT_EQ(median_of(kind.arrivals.wait_seconds.at(2)), 0);
}

}  // namespace

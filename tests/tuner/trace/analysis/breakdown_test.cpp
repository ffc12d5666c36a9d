// SPDX-License-Identifier: MIT
#include "breakdown.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "loaded_trace.hpp"

namespace {

using namespace tuner::trace;

TEST(TraceBreakdown, CostsAddUp) {
    made_up::World world;
    world.late_rank = 2;
    made_up::Recorder recorder(world);
    const std::pair<const char*, const char*> calls[] = {{"allreduce", "reduce_scatter_allgather"},
                                                         {"allgather", "ring"},
                                                         {"bcast", "scatter_ring_allgather"},
                                                         {"alltoall", "pairwise"},
                                                         {"reduce", "binomial"}};
    for (int i = 0; i < 5; ++i) {
        for (const auto& [collective, algorithm] : calls) {
            recorder.call(collective, algorithm, 32768);
        }
    }
    const made_up::Loaded recorded(recorder);
    const Matched& matched = recorded.loaded->matched;
    double inside = 0;
    for (const Participant& p : matched.participants) {
        inside += 1e-9 * static_cast<double>(p.exit_ns - p.enter_ns);
    }
    EXPECT_NEAR(recorded.analysis().costs.total(), inside, 1e-6 * inside);
    ASSERT_EQ(recorded.analysis().kinds.size(), 5U);
    for (const Kind& kind : recorded.analysis().kinds) {
        double of_ranks = 0;
        double of_stages = 0;
        for (std::size_t rank = 0; rank < kind.costs_of_rank.size(); ++rank) {
            of_ranks += kind.costs_of_rank[rank].total();
            of_stages +=
                std::accumulate(kind.stage_seconds[rank].begin(), kind.stage_seconds[rank].end(), 0.0);
        }
        EXPECT_NEAR(of_ranks, kind.costs.total(), 1e-6 * of_ranks);
        EXPECT_EQ(kind.typical_calls, 3U);  // of 5
        EXPECT_NEAR(of_stages, kind.typical_costs.total() - kind.typical_costs.seconds[late_cost],
                    1e-6 * of_ranks);
        for (const double seconds : kind.costs.seconds) {
            EXPECT_GE(seconds, 0);
        }
    }
    // 8 ranks combine 7/8 of the message each: 32 KiB x 1 ns x 7/8 x 8 ranks x 5 calls, and as much in reduce
    EXPECT_NEAR(recorded.analysis().costs.seconds[reduction_cost], 2 * 5 * 7 * 32768e-9, 2e-6);
}

TEST(TraceBreakdown, CriticalPathGoesFromAnEntryToTheLastExit) {
    made_up::World world;
    world.late_rank = 3;
    made_up::Recorder recorder(world);
    recorder.call("allreduce", "recursive_doubling", 4096);
    const made_up::Loaded recorded(recorder);
    const Matched& matched = recorded.loaded->matched;
    CallAnalysis call(matched);
    ASSERT_TRUE(call.load(0));
    const std::vector<PathStep>& path = call.path();
    for (std::size_t i = 1; i < path.size(); ++i) {
        EXPECT_EQ(path[i].to_ns, path[i - 1].from_ns);
    }
    EXPECT_EQ(path.back().participant, 3);
    EXPECT_EQ(path.back().from_ns, call.participants()[3].enter_ns);
    std::int64_t last_exit = 0;
    for (const Participant& p : call.participants()) {
        last_exit = std::max(last_exit, p.exit_ns);
    }
    EXPECT_EQ(path.front().to_ns, last_exit);
    EXPECT_EQ(recorded.analysis().path.messages, 3U);  // one a round
    EXPECT_NEAR(call.path_costs().total(), 1e-9 * static_cast<double>(last_exit - path.back().from_ns), 1e-9);
}

}  // namespace

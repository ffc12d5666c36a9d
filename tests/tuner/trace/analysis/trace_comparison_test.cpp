// SPDX-License-Identifier: MIT
// Two algorithms or traces side by side.
#include "trace_comparison.hpp"

#include <gtest/gtest.h>

#include "both_algorithms.hpp"
#include "error.hpp"

namespace {

using namespace tuner::trace;

// Bytes through the interface explain it: 31 blocks against 60, which are exchanged
TEST(TraceComparison, RingAgainstRecursiveDoubling) {
    const made_up::Loaded recorded(both_algorithms());
    const TraceComparison comparison =
        compare_algorithms(recorded.loaded->analysis, "ring", "recursive_doubling");
    ASSERT_EQ(comparison.pairs.size(), 1U);
    const Moved ring = moved_by(*comparison.pairs[0].a);
    const Moved doubling = moved_by(*comparison.pairs[0].b);
    EXPECT_EQ(ring.interface_bytes, 31 * 4096);
    EXPECT_EQ(ring.exchanged_bytes, 0);
    EXPECT_EQ(ring.path_messages, 31);
    EXPECT_EQ(doubling.interface_bytes, 60 * 4096);
    EXPECT_EQ(doubling.exchanged_bytes, 60 * 4096);
    EXPECT_EQ(doubling.path_messages, 5);
    const std::string text = to_text(comparison);
    EXPECT_NE(text.find("interface, by stage: A 31 x 4Ki; B 0 + 16Ki + 32Ki + 64Ki + 128Ki"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("it sends 240Ki through the busiest interface, ring sends 124Ki"), std::string::npos)
        << text;
    const tuner::Json json = to_json(comparison);
    EXPECT_GT(json.at("pairs").at(0).at("b_by_a"), 1.5);
    EXPECT_EQ(json.at("pairs").at(0).at("b").at("interface_bytes_of_stage").at(4), 32 * 4096);
}

TEST(TraceComparison, TwoTraces) {
    made_up::World world;
    made_up::Recorder now(world);
    world.slow_node = 1;
    made_up::Recorder before(world);
    for (int i = 0; i < 5; ++i) {
        now.call("bcast", "binomial", 65536);
        before.call("bcast", "scatter_ring_allgather", 65536);
        before.call("bcast", "binomial", 8);
    }
    const made_up::Loaded a(now);
    const made_up::Loaded b(before);
    const TraceComparison comparison = compare_traces(*a.loaded, *b.loaded);
    ASSERT_EQ(comparison.pairs.size(), 1U);
    EXPECT_EQ(comparison.pairs[0].b->key.algorithm, "scatter_ring_allgather");
}

TEST(TraceComparison, WhatIsNotThere) {
    const made_up::Loaded recorded(both_algorithms(models::RankPlacement(2, 2)));
    const Analysis& analysis = recorded.loaded->analysis;
    EXPECT_THROW(compare_algorithms(analysis, "ring", "bruck"), tuner::Error);
    EXPECT_THROW(compare_algorithms(analysis, "", ""), tuner::Error);
}

TEST(TraceComparison, SameCallsOfTwoTraces) {
    const made_up::Loaded a(both_algorithms());
    const made_up::Loaded b(both_algorithms());
    const std::vector<SameCall> calls = same_calls({a.loaded.get(), b.loaded.get()});
    ASSERT_EQ(calls.size(), 1U);
    ASSERT_EQ(calls[0].size(), 4U);
    // both are called t: the whole prefix tells them apart
    EXPECT_EQ(calls[0][0].name, a.loaded->trace.prefix + " ring");
    EXPECT_EQ(calls[0][1].name, b.loaded->trace.prefix + " ring");
    const auto rows = table_of(calls[0]).rows();
    EXPECT_EQ(rows.front().size(), 5U);  // no difference of more than two
    EXPECT_NE(explanation_of(calls[0]).find("the fastest is " + calls[0][0].name), std::string::npos);
}

// Whichever trace they are in
TEST(TraceComparison, SameCallsHaveTheMostTimeFirst) {
    const auto of = [](std::initializer_list<std::pair<const char*, std::uint64_t>> calls) {
        made_up::World world;
        made_up::Recorder recorder(world);
        for (const auto& [collective, bytes] : calls) {
            recorder.call(collective, "recursive_doubling", bytes);
        }
        return made_up::Loaded(recorder);
    };
    const made_up::Loaded a = of({{"allgather", 64}});
    const made_up::Loaded b = of({{"allgather", 64}, {"allreduce", 1 << 20}});
    const made_up::Loaded c = of({{"allreduce", 1 << 20}});
    const std::vector<SameCall> calls = same_calls({a.loaded.get(), b.loaded.get(), c.loaded.get()});
    ASSERT_EQ(calls.size(), 2U);
    EXPECT_EQ(calls[0].front().kind->key.collective, "allreduce");
    EXPECT_EQ(calls[1].front().kind->key.collective, "allgather");
}

}  // namespace

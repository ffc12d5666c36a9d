// SPDX-License-Identifier: MIT
#include "critical.hpp"

#include <gtest/gtest.h>

#include "loaded_trace.hpp"

namespace {

using namespace tuner::trace;

TEST(TraceCritical, SlowNodeIsNamed) {
    for (const char* algorithm : {"ring", "recursive_doubling"}) {
        made_up::World world;
        world.layout = models::RankPlacement(8, 2);
        world.slow_node = 3;
        made_up::Recorder recorder(world);
        for (int i = 0; i < 20; ++i) {
            recorder.call("allgather", algorithm, 65536);
            recorder.meet();
        }
        const made_up::Loaded recorded(recorder);
        const std::optional<Critical>& critical = recorded.analysis().critical;
        ASSERT_TRUE(critical) << algorithm;
        EXPECT_EQ(critical->what, Critical::What::node);
        EXPECT_EQ(critical->node, 3);
        EXPECT_GT(critical->share, 0.8);
        EXPECT_GT(critical->slower, 5);
        EXPECT_EQ(recorded.analysis().late_rank(), nullptr);
    }
}

// One direction of one link
TEST(TraceCritical, SlowLinkIsNamed) {
    made_up::World world;
    world.layout = models::RankPlacement(6, 1);
    world.slow_link = {2, 3};
    made_up::Recorder recorder(world);
    for (int i = 0; i < 20; ++i) {
        recorder.call("alltoall", "pairwise", 65536);
        recorder.meet();
    }
    const made_up::Loaded recorded(recorder);
    const std::optional<Critical>& critical = recorded.analysis().critical;
    ASSERT_TRUE(critical);
    EXPECT_EQ(critical->what, Critical::What::link);
    EXPECT_EQ(critical->link, (NodeLink{2, 3}));
}

TEST(TraceCritical, NothingIsCriticalWhereAllIsEqual) {
    made_up::World world;
    world.layout = models::RankPlacement(8, 2);
    made_up::Recorder recorder(world);
    for (int i = 0; i < 20; ++i) {
        recorder.call("allgather", "ring", 65536);
    }
    const made_up::Loaded recorded(recorder);
    EXPECT_FALSE(recorded.analysis().critical);
}

}  // namespace

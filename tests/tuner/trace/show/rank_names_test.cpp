// SPDX-License-Identifier: MIT
// Ranks have the names of their hosts beside them, as far as the event files say.
#include "rank_names.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "loaded_trace.hpp"
#include "trace_text.hpp"

namespace {

using namespace tuner::trace;

made_up::World four_hosts() {
    made_up::World world;  // 4x2
    world.hosts = {"n1", "n2", "n3", "n4"};
    return world;
}

TEST(RankNames, ListsAreShort) {
    EXPECT_EQ(ranks_text({0, 1, 2, 5, 7, 8}), "0-2, 5, 7-8");
    EXPECT_EQ(ranks_text({}), "");
    std::vector<int> even;
    for (int i = 0; i < 40; i += 2) {
        even.push_back(i);
    }
    EXPECT_TRUE(ranks_text(even).ends_with("22, ... (20 ranks)")) << ranks_text(even);
}

TEST(RankNames, HaveTheirHost) {
    made_up::Recorder recorder(four_hosts());
    recorder.call("allgather", "ring", 4096);
    const made_up::Loaded recorded(recorder);
    const Trace& trace = recorded.loaded->trace;
    EXPECT_EQ(rank_text(trace, 5), "rank 5 (n3)");
    EXPECT_EQ(rank_text(trace, 8), "rank 8") << "there is no such file";
    EXPECT_EQ(ranks_by_host(trace, {0, 1, 2, 6, 7}), "n1: 0-1; n2: 2; n4: 6-7");
    const Kind& kind = recorded.analysis().kinds.at(0);
    EXPECT_EQ(rank_text(recorded.loaded->matched, kind, 2), "rank 2 (n2)");
    EXPECT_EQ(hosts_text(recorded.loaded->matched, kind, {0, 1, 7}), "n1, n4");
}

TEST(RankNames, ManyHostsAreCounted) {
    made_up::World world;
    world.layout = models::RankPlacement(6, 1);
    world.hosts = {"a", "b", "c", "d", "e", "f"};
    made_up::Recorder recorder(world);
    recorder.call("allgather", "ring", 64);
    const made_up::Loaded recorded(recorder);
    EXPECT_EQ(hosts_text(recorded.loaded->matched, recorded.analysis().kinds.at(0), {0, 1, 2, 3, 4}),
              "5 hosts");
}

TEST(RankNames, StandBesideTheLateRank) {
    made_up::World world = four_hosts();
    world.late_rank = 5;
    made_up::Recorder recorder(world);
    for (int i = 0; i < 20; ++i) {
        recorder.call("allgather", "ring", 64);
        recorder.meet();
    }
    const made_up::Loaded recorded(recorder);
    const std::string text = to_text(*recorded.loaded);
    EXPECT_CONTAINS(text, "  ranks by host: n1: 0-1; n2: 2-3; n3: 4-5; n4: 6-7\n");
    EXPECT_CONTAINS(text, "imbalance: rank 5 (n3) was last in 100% of 20 calls");
    EXPECT_CONTAINS(text, "most often last: rank 5 (n3), in 100% of calls");
    const tuner::Json json = to_json(*recorded.loaded);
    EXPECT_EQ(json.at("late_rank"), 5);
    EXPECT_EQ(json.at("arrivals").at(5).at("host"), "n3");
}

}  // namespace

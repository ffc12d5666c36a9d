// SPDX-License-Identifier: MIT
// Made-up traces whose late rank, slow node, costs and bytes are known.
#include "analysis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "loaded_trace.hpp"
#include "classes.hpp"
#include "trace.hpp"

namespace {

using namespace tuner::trace;
using tuner::Link;

TEST(TraceAnalysis, late_rank_is_named) {
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
    EXPECT_NE(findings_text(*recorded.loaded).find("rank 5 was last in 100% of 200 calls, by 5 ms"),
              std::string::npos)
        << findings_text(*recorded.loaded);
    // the collective itself takes what it takes without
    EXPECT_LT(median_of(recorded.analysis().kinds.at(0).seconds), 0.001);
}

// Positions are counted in groups then, but the last one is one rank
TEST(TraceAnalysis, last_of_many_ranks) {
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
    EXPECT_NE(to_text(*recorded.loaded).find("most often last: rank 199 (100% of calls)"), std::string::npos);
}

// Of a broadcast from rank 0, a leaf that is late makes nobody wait
TEST(TraceAnalysis, late_leaf_of_a_broadcast_is_not_blamed) {
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

TEST(TraceAnalysis, slow_node_is_named) {
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

TEST(TraceAnalysis, nothing_is_critical_where_all_is_equal) {
    made_up::World world;
    world.layout = models::RankPlacement(8, 2);
    made_up::Recorder recorder(world);
    for (int i = 0; i < 20; ++i) {
        recorder.call("allgather", "ring", 65536);
    }
    const made_up::Loaded recorded(recorder);
    EXPECT_FALSE(recorded.analysis().critical);
}

TEST(TraceAnalysis, costs_add_up) {
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

TEST(TraceAnalysis, critical_path_goes_from_an_entry_to_the_last_exit) {
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

// Thakur, Rabenseifner and Gropp's blocks: 31 through an interface in a ring of 16x2 ranks, 60 in recursive
// doubling, all of them exchanged
TEST(TraceAnalysis, interface_bytes_of_ring_and_recursive_doubling) {
    made_up::World world;
    world.layout = models::RankPlacement(16, 2);
    made_up::Recorder recorder(world);
    recorder.call("allgather", "ring", 1000);
    recorder.call("allgather", "recursive_doubling", 1000);
    const made_up::Loaded recorded(recorder);
    for (const Kind& kind : recorded.analysis().kinds) {
        std::vector<double> bytes;
        double exchanged = 0;
        for (const StageTimes& stage : kind.stages) {
            bytes.push_back(stage.busiest_bytes);
            exchanged += stage.busiest_exchanged_bytes;
        }
        if (kind.key.algorithm == "ring") {
            EXPECT_EQ(bytes, std::vector<double>(31, 1000));
            EXPECT_EQ(exchanged, 0);
        } else {
            EXPECT_EQ(bytes, (std::vector<double>{0, 4000, 8000, 16000, 32000}));
            EXPECT_EQ(exchanged, 60000);
        }
        EXPECT_EQ(to_string(kind.key.shape), "16x2");
    }
}

TEST(TraceAnalysis, orders_and_waits) {
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

TEST(TraceAnalysis, classes_of_ranks) {
    Kind kind;
    kind.typical_calls = 2;
    kind.stage_seconds = {{1, 1, 0}, {3, 1, 0}, {1.1, 1, 0}, {1, 1.1, 0.1}, {1, 3, 0}};
    const std::vector<RankClass> classes = classes_of(kind);
    ASSERT_EQ(classes.size(), 3U);
    EXPECT_EQ(classes[0].ranks, (std::vector<int>{0, 2, 3}));
    EXPECT_EQ(classes[0].representative, 0);
    EXPECT_NEAR(classes[0].stage_seconds.at(0), 3.1 / 3 / 2, 1e-12);
    EXPECT_EQ(classes[1].ranks, (std::vector<int>{1}));
    EXPECT_EQ(classes[2].ranks, (std::vector<int>{4}));
}

// One direction of one link
TEST(TraceAnalysis, slow_link_is_named) {
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

TEST(TraceAnalysis, shapes) {
    const auto text = [](std::vector<int> nodes) {
        Communicator communicator;
        communicator.members.resize(nodes.size());
        communicator.nodes = std::move(nodes);
        return to_string(shape_of(communicator));
    };
    EXPECT_EQ(text({3, 3, 5, 5}), "2x2");
    EXPECT_EQ(text({3, 5, 3, 5}), "2x2 round-robin");
    EXPECT_EQ(text({0, 0, 0, 1}), "4 ranks on 2 nodes");
    EXPECT_EQ(text({7}), "1x1");
}

TEST(TraceAnalysis, json_has_what_the_text_says) {
    made_up::Recorder recorder{made_up::World{}};
    recorder.call("allgather", "ring", 4096);
    const made_up::Loaded recorded(recorder);
    const tuner::Json json = to_json(*recorded.loaded);
    EXPECT_EQ(json.at("messages"), 56);
    EXPECT_EQ(json.at("kinds").at(0).at("stages").size(), 7U);
    EXPECT_EQ(json.at("kinds").at(0).at("algorithm"), "ring");
    EXPECT_EQ(json.at("clocks").at("messages_too_early"), 0);
    EXPECT_NE(to_text(*recorded.loaded).find("allgather/ring 4Ki 4x2"), std::string::npos);
}

}  // namespace

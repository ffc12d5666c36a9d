// SPDX-License-Identifier: MIT
// One node for all takes as long as all nodes
#include "symmetry.hpp"

#include <gtest/gtest.h>

#include <set>

#include "star.hpp"

namespace {

using namespace tuner;

SimulatedJob job_on(const models::RankPlacement& layout) {
    SimulatedJob job = {hosts_of_star(layout.nodes), layout, {}};
    job.machine.parameters.between.segments = {{8192, 20e-6, 90e-9}, {models::LinkCosts::no_end, 50e-6, 0}};
    job.machine.parameters.between.gap_seconds = 1e-6;
    job.machine.parameters.within.segments = {{models::LinkCosts::no_end, 2e-6, 1e-9}};
    job.machine.parameters.combine_seconds_per_byte = 2e-10;
    job.machine.parameters.copy_seconds_per_byte = 1e-10;
    job.machine.send_overhead_seconds = 3e-6;
    job.machine.receive_overhead_seconds = 4e-6;
    return job;
}

TEST(Symmetry, IsExact) {
    std::set<std::string> folded;
    for (const models::Algorithm& algorithm : models::algorithms()) {
        for (const models::RankPlacement& layout :
             {models::RankPlacement(16, 1), models::RankPlacement(13, 1), models::RankPlacement(16, 2),
              models::RankPlacement(5, 3), models::RankPlacement(8, 4, models::Mapping::round_robin)}) {
            for (const std::size_t bytes : {8U, 4096U, 40000U}) {
                const models::Call call{&layout, bytes};
                SimulatedJob job = job_on(layout);
                if (!models::is_allowed(algorithm, call)) {
                    continue;
                }
                const models::Schedule schedule = algorithm.schedule(call);
                const Played all = play(job, schedule);
                job.machine.are_nodes_alike = true;
                const Played one = play(job, schedule);
                const std::string name =
                    std::string(algorithm.collective) + " " + std::string(algorithm.name);
                EXPECT_NEAR(one.seconds / all.seconds, 1, 1e-6)
                    << name << " of " << bytes << " on " << layout.nodes << " nodes, " << layout.ranks()
                    << " ranks";
                EXPECT_EQ(one.messages, all.messages) << name;
                EXPECT_EQ(one.finish_of_ranks.size(), all.finish_of_ranks.size());
                if (alike_in(job, schedule, Pace::free)) {
                    folded.insert(name);
                }
            }
        }
    }
    for (const char* name :
         {"allgather ring", "alltoall pairwise", "alltoall scattered", "allgather brucks"}) {
        EXPECT_TRUE(folded.contains(name)) << name;
    }
    EXPECT_FALSE(folded.contains("bcast binomial")) << "its root does more than others";
}

TEST(Symmetry, NeedsNodesThatAreAlike) {
    const models::RankPlacement layout(16, 2);
    const models::Schedule ring = models::find_algorithm("allgather", "ring")->schedule({&layout, 100});
    SimulatedJob job = job_on(layout);
    EXPECT_FALSE(alike_in(job, ring, Pace::free)) << "the platform does not say so";
    job.machine.are_nodes_alike = true;
    ASSERT_TRUE(alike_in(job, ring, Pace::free));
    EXPECT_EQ(alike_in(job, ring, Pace::free)->ranks_of_each(), 16);
    EXPECT_FALSE(alike_in(job, ring, Pace::together));
    job.machine.slow_host = "n3";
    EXPECT_FALSE(alike_in(job, ring, Pace::free));
    job.machine.slow_host = "";
    job.machine.cores.count = 2;
    EXPECT_FALSE(alike_in(job, ring, Pace::free));
    const models::RankPlacement uneven({0, 0, 1});
    job = job_on(uneven);
    job.machine.are_nodes_alike = true;
    EXPECT_FALSE(
        alike_in(job, models::find_algorithm("allgather", "ring")->schedule({&uneven, 100}), Pace::free));
}

}  // namespace

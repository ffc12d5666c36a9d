// SPDX-License-Identifier: MIT
#include "message_costs.hpp"

#include <gtest/gtest.h>

#include "star.hpp"

namespace {

using namespace tuner;

SimulatedJob two_nodes_of_two() {
    SimulatedJob job = {hosts_of_star(2), models::RankPlacement(2, 2), {}};
    job.machine.parameters.between.segments = {{1000, 10e-6, 2e-9}, {models::LinkCosts::no_end, 20e-6, 0}};
    job.machine.parameters.between.gap_seconds = 1e-6;
    job.machine.parameters.within.segments = {{models::LinkCosts::no_end, 5e-6, 1e-9}};
    job.machine.send_overhead_seconds = 2e-6;
    job.machine.receive_overhead_seconds = 3e-6;
    job.machine.cores = {.count = 2,
                         .between_seconds = 4e-6,
                         .between_seconds_per_byte = 1e-9,
                         .within_seconds_per_byte = 2e-9};
    return job;
}

const LiveMessage within = {0, 1, 100, 0, false, 1};
const LiveMessage eager = {0, 2, 1000, 0, false, 2};
const LiveMessage rendezvous = {0, 2, 1001, 0, false, 2};

TEST(MessageCosts, DependOnPlaceAndProtocol) {
    const SimulatedJob job = two_nodes_of_two();
    const MessageCosts costs(job);
    EXPECT_TRUE(costs.is_within(within));
    EXPECT_FALSE(costs.is_within(eager));
    EXPECT_TRUE(costs.is_eager(eager));
    EXPECT_FALSE(costs.is_eager(rendezvous));
    EXPECT_NEAR(costs.latency_without_overheads(within), 0, 1e-15);
    EXPECT_DOUBLE_EQ(costs.latency_without_overheads(eager), 4e-6);
    EXPECT_DOUBLE_EQ(costs.latency_without_overheads(rendezvous), 14e-6);
    EXPECT_DOUBLE_EQ(costs.payload(eager, 1e9), 2 * 1000 + 1000) << "half as fast as the link, and the gap";
    EXPECT_DOUBLE_EQ(costs.payload(rendezvous, 1e9), 1001 + 1000);
    EXPECT_DOUBLE_EQ(costs.core_seconds(within), 100 * 2e-9);
    EXPECT_DOUBLE_EQ(costs.core_seconds(eager), 4e-6 + 1000 * 1e-9);
}

TEST(MessageCosts, OfASlowNodeAreHigher) {
    SimulatedJob job = two_nodes_of_two();
    job.machine.slow_host = "n1";
    job.machine.slow_factor = 3;
    const MessageCosts costs(job);
    EXPECT_EQ(costs.slowness(within), 1);
    EXPECT_EQ(costs.slowness(eager), 3);
    EXPECT_DOUBLE_EQ(costs.payload(rendezvous, 1e9), 3 * 2001);
}

}  // namespace

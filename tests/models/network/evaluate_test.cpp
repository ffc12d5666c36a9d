// SPDX-License-Identifier: MIT
// Schedules of a few messages whose time is known, then all of MPICH's against the closed form.
#include "evaluate.hpp"

#include <gtest/gtest.h>

namespace {

using namespace models;

constexpr double latency = 10e-6;
constexpr double per_byte = 1e-8;
constexpr std::size_t bytes = 1000;
constexpr double transfer = bytes * per_byte;

Parameters network() {
    Parameters p;
    p.between.segments[0] = {LinkCosts::no_end, latency, per_byte};
    p.within.segments[0] = {LinkCosts::no_end, 1e-6, 1e-9};
    return p;
}

using Send = std::pair<int, int>;  // from, to; a copy if they are the same

// Rounds of messages of the same size
Schedule rounds(const std::vector<std::vector<Send>>& sends) {
    Schedule schedule;
    for (const std::vector<Send>& round_sends : sends) {
        schedule.push_back({1, [=](int, Round& round) {
                                for (const auto& [from, to] : round_sends) {
                                    round.send(from, to, Piece{0, bytes});
                                }
                            }});
    }
    return schedule;
}

TEST(Evaluate, OneMessageTakesLatencyAndBytes) {
    EXPECT_DOUBLE_EQ(evaluate(rounds({{{0, 1}}}), RankPlacement(2, 1), network()), latency + transfer);
    EXPECT_DOUBLE_EQ(evaluate(rounds({{{0, 1}}}), RankPlacement(1, 2), network()), 1e-6 + bytes * 1e-9);
}

TEST(Evaluate, MessagesThatWaitForEachOtherAddUp) {
    EXPECT_DOUBLE_EQ(evaluate(rounds({{{0, 1}}, {{1, 2}}}), RankPlacement(3, 1), network()),
                     2 * (latency + transfer));
    EXPECT_DOUBLE_EQ(evaluate(rounds({{{0, 1}}, {{2, 3}}}), RankPlacement(4, 1), network()),
                     latency + transfer)
        << "other ranks need not wait, whatever the round";
}

TEST(Evaluate, RanksOfANodeShareItsInterface) {
    Parameters p = network();
    p.between.gap_seconds = 3e-6;
    const Schedule both = rounds({{{0, 2}, {1, 3}}});
    EXPECT_NEAR(evaluate(both, RankPlacement(2, 2), p), latency + 2 * transfer + 3e-6, 1e-15);
    EXPECT_NEAR(evaluate(both, RankPlacement(4, 1), p), latency + transfer, 1e-15);
}

TEST(Evaluate, OnlyRendezvousWaitsForTheReceiver) {
    Parameters p = network();
    p.copy_seconds_per_byte = 1e-7;  // the receiver copies for 100 us first
    const Schedule schedule = rounds({{{1, 1}}, {{0, 1}}});
    const double copy = bytes * 1e-7;
    EXPECT_NEAR(evaluate(schedule, RankPlacement(2, 1), p), copy, 1e-15) << "it arrived during the copy";
    p.between.segments = {{bytes - 1, latency, per_byte}, {LinkCosts::no_end, latency, per_byte}};
    EXPECT_NEAR(evaluate(schedule, RankPlacement(2, 1), p), copy + latency + transfer, 1e-15);
}

// Ranks of a round that do not depend on each other need not wait, so it may be below the closed form;
// messages that wait in a queue for one interface leave another idle, so it may be a little above.
TEST(Evaluate, IsNearTheClosedForm) {
    Parameters p = network();
    p.between.segments[0] = {LinkCosts::no_end, 30e-6, 84e-9};  // Fast Ethernet
    p.combine_seconds_per_byte = 3e-9;
    p.copy_seconds_per_byte = 1e-10;
    int calls = 0;
    for (const Algorithm& algorithm : algorithms()) {
        for (const auto& [nodes, ppn] : {std::pair{3, 2}, {4, 2}, {16, 2}, {5, 4}}) {
            const RankPlacement layout(nodes, ppn);
            const Call call{&layout, 40000};
            if (is_allowed(algorithm, call)) {
                const double closed = CostTable(layout).seconds(algorithm, call, p);
                const double full = evaluate(algorithm.schedule(call), layout, p);
                SCOPED_TRACE(testing::Message()
                             << algorithm.collective << " " << algorithm.name << " " << nodes << "x" << ppn);
                EXPECT_LE(full, 1.15 * closed);
                EXPECT_GE(full, 0.5 * closed);
                ++calls;
            }
        }
    }
    EXPECT_GT(calls, 50);
}

}  // namespace

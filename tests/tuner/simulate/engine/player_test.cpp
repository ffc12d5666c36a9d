// SPDX-License-Identifier: MIT
// Schedules of a few messages whose time is known, then all algorithms against the closed form.
#include "player.hpp"

#include <gtest/gtest.h>

#include <map>

#include "cost.hpp"
#include "star.hpp"

namespace {

using namespace tuner;
using models::Algorithm;
using models::RankPlacement;

constexpr double wire = 30e-6;      // latency of the platform
constexpr double per_byte = 80e-9;  // of 12.5 MB/s
constexpr double software = 10e-6;
constexpr std::size_t bytes = 1000;
constexpr double transfer = bytes * per_byte;

SimulatedMachine machine() {
    SimulatedMachine m;
    m.parameters.between.segments = {{models::LinkCosts::no_end, software, 0}};
    m.parameters.within.segments = {{models::LinkCosts::no_end, 1e-7, 1e-9}};
    return m;
}

using Send = std::pair<int, int>;  // from, to; a copy if they are the same
models::Schedule rounds(const std::vector<std::vector<Send>>& sends) {
    models::Schedule schedule;
    for (const std::vector<Send>& of_round : sends) {
        schedule.push_back({1, [=](int, models::Round& round) {
                                for (const auto& [from, to] : of_round) {
                                    round.send(from, to, models::Piece{0, bytes});
                                }
                            }});
    }
    return schedule;
}

double seconds(const models::Schedule& schedule, const RankPlacement& layout, const SimulatedMachine& m,
               Pace pace = Pace::free) {
    return play({hosts_of_star(layout.nodes), layout, m}, schedule, pace).seconds;
}

constexpr double near = 1e-9;

TEST(Player, OneMessageTakesLatencyAndBytes) {
    EXPECT_NEAR(seconds(rounds({{{0, 1}}}), RankPlacement(2, 1), machine()), software + wire + transfer,
                near);
    EXPECT_NEAR(seconds(rounds({{{0, 1}}}), RankPlacement(1, 2), machine()), 1e-7 + bytes * 1e-9, near);
}

TEST(Player, RanksWaitOnlyForTheirOwnMessages) {
    const models::Schedule schedule = rounds({{{0, 1}}, {{2, 3}}});
    const double one = software + wire + transfer;
    EXPECT_NEAR(seconds(schedule, RankPlacement(4, 1), machine()), one, near);
    EXPECT_NEAR(seconds(schedule, RankPlacement(4, 1), machine(), Pace::together), 2 * one, near);
    EXPECT_NEAR(seconds(rounds({{{0, 1}}, {{1, 2}}}), RankPlacement(3, 1), machine()), 2 * one, near);
}

TEST(Player, MessagesShareTheInterfacesOfNodes) {
    const models::Schedule two = rounds({{{0, 2}, {1, 3}}});
    EXPECT_NEAR(seconds(two, RankPlacement(2, 2), machine()), software + wire + 2 * transfer, near);
    EXPECT_NEAR(seconds(two, RankPlacement(4, 1), machine()), software + wire + transfer, near);
    EXPECT_NEAR(seconds(rounds({{{0, 2}, {1, 2}}}), RankPlacement(3, 1), machine()),
                software + wire + 2 * transfer, near)
        << "of the receiver, too";
}

TEST(Player, AMessageKeepsItsInterfaceForTheGap) {
    SimulatedMachine m = machine();
    m.parameters.between.gap_seconds = 4e-6;
    EXPECT_NEAR(seconds(rounds({{{0, 1}}}), RankPlacement(2, 1), m), software + wire + transfer, 1e-7);
    EXPECT_NEAR(seconds(rounds({{{0, 2}, {1, 3}}}), RankPlacement(2, 2), m),
                software + wire + 2 * transfer + 4e-6, 1e-7);
}

TEST(Player, OnlyRendezvousWaitsForTheReceiver) {
    SimulatedMachine m = machine();
    m.parameters.copy_seconds_per_byte = 1e-6;  // the receiver copies for 1 ms first
    const models::Schedule schedule = rounds({{{1, 1}}, {{0, 1}}});
    EXPECT_NEAR(seconds(schedule, RankPlacement(2, 1), m), 1e-3, near) << "it arrived during the copy";
    m.parameters.between.segments = {{bytes - 1, software, 0}, {models::LinkCosts::no_end, software, 0}};
    EXPECT_NEAR(seconds(schedule, RankPlacement(2, 1), m), 1e-3 + software + wire + transfer, near);
}

TEST(Player, OverheadsKeepTheProcessorBusyAndArePartOfTheLatency) {
    SimulatedMachine m = machine();
    m.send_overhead_seconds = 3e-6;
    m.receive_overhead_seconds = 2e-6;
    EXPECT_NEAR(seconds(rounds({{{0, 1}}}), RankPlacement(2, 1), m), software + wire + transfer, near);
    // the second one leaves an overhead later, while the first one moves
    EXPECT_NEAR(seconds(rounds({{{0, 1}, {0, 2}}}), RankPlacement(3, 1), m), software + wire + 2 * transfer,
                4e-6);
}

TEST(Player, NodesThatAreOneMachineShareItsCores) {
    SimulatedMachine m = machine();
    m.cores = {.count = 1, .dispatch_seconds = 10e-6, .peer_seconds = 1e-6, .between_seconds = 50e-6};
    const double one = 10e-6 + 5e-6 + 50e-6;  // of the core, to send or to receive; each has 5 others
    EXPECT_NEAR(seconds(rounds({{{0, 1}}}), RankPlacement(6, 1), m), 2 * one + software + wire + transfer,
                near);
    EXPECT_NEAR(seconds(rounds({{{0, 1}, {2, 3}, {4, 5}}}), RankPlacement(6, 1), m), 6 * one, near)
        << "the core always has something to do, while messages move";
    m.cores.count = 6;
    EXPECT_NEAR(seconds(rounds({{{0, 1}, {2, 3}, {4, 5}}}), RankPlacement(6, 1), m),
                2 * one + software + wire + transfer, near);
}

TEST(Player, OnlySomePhasesAreTimed) {
    const models::Schedule schedule = rounds({{{0, 1}}, {{1, 2}}, {{2, 0}}});
    const SimulatedJob job = {hosts_of_star(3), RankPlacement(3, 1), machine()};
    const Played played = play(job, schedule, Pace::free, {1, 2});
    // rank 0 sends without waiting, rank 2 has nothing to do before: both start at once
    EXPECT_NEAR(played.seconds, 2 * (software + wire + transfer), near);
    EXPECT_EQ(played.messages, 1);
    EXPECT_NEAR(played.finish_of_ranks[0], 0, 1e-4) << "the last phase does not count";
    EXPECT_NEAR(play(job, rounds({{{0, 1}}, {{1, 0}}}), Pace::free, {1, 2}).seconds,
                2 * (software + wire + transfer), near);
}

TEST(Player, ABurstPassesARateLimit) {
    SimulatedMachine m = machine();
    m.burst_bytes = 400;
    EXPECT_NEAR(seconds(rounds({{{0, 1}}}), RankPlacement(2, 1), m),
                software + wire + (bytes - 400) * per_byte, near);
}

TEST(Player, ASlowHostSlowsItsMessagesOnly) {
    SimulatedMachine m = machine();
    m.slow_host = "n3";
    m.slow_factor = 3;
    const double one = software + wire + transfer;
    EXPECT_NEAR(seconds(rounds({{{0, 1}}}), RankPlacement(4, 1), m), one, near);
    EXPECT_NEAR(seconds(rounds({{{2, 3}}}), RankPlacement(4, 1), m), 3 * one, near);
}

TEST(Player, OppositeMessagesCostWhereALinkIsNotFullDuplex) {
    SimulatedMachine m = machine();
    m.parameters.between.opposite_seconds_per_byte = 20e-9;
    EXPECT_NEAR(seconds(rounds({{{0, 1}, {1, 0}}}), RankPlacement(2, 1), m),
                software + wire + transfer + bytes * 20e-9, near);
}

TEST(Player, RoundsThatTakeNoTimeNeedNoStack) {
    const SimulatedMachine instant;
    const models::Schedule ring = {{200000, [](int, models::Round& round) {
                                        round.send(0, 1, models::Piece{0, 0});
                                        round.send(1, 0, models::Piece{0, 0});
                                    }}};
    EXPECT_EQ(seconds(ring, RankPlacement(1, 2), instant), 0);
}

TEST(Player, TheSameScheduleTakesTheSameTime) {
    const RankPlacement layout(13, 3);
    const Algorithm& algorithm = *models::find_algorithm("alltoall", "scattered");
    const models::Schedule schedule = algorithm.schedule({&layout, 5000});
    const Played first = play({hosts_of_star(13), layout, machine()}, schedule);
    const Played second = play({hosts_of_star(13), layout, machine()}, schedule);
    EXPECT_EQ(first.messages, 39U * 38U);
    EXPECT_EQ(second.messages, first.messages);
    EXPECT_NEAR(second.seconds, first.seconds, near);
    EXPECT_EQ(first.finish_of_ranks.size(), 39U);
}

// With one pace for all ranks, and nothing shared but the interfaces of nodes, the simulation is the closed
// form. That has its latencies counted once for each round here: a share of them is what ranks save that need
// not wait for each other.
TEST(Player, IsTheClosedFormIfAllRanksGoTogether) {
    SimulatedMachine m = machine();
    m.parameters.copy_seconds_per_byte = 1e-10;
    models::Parameters closed = m.parameters;
    closed.between.segments = {{models::LinkCosts::no_end, software + wire, per_byte}};
    std::map<std::string, int> calls;
    for (const auto implementation : {models::Implementation::mpich, models::Implementation::openmpi}) {
        for (const Algorithm& algorithm : models::algorithms(implementation)) {
            for (const auto& [nodes, ppn] : {std::pair{2, 1},
                                             {3, 1},
                                             {8, 1},
                                             {13, 1},
                                             {64, 1},
                                             {2, 2},
                                             {3, 2},
                                             {16, 2},
                                             {5, 4},
                                             {16, 4},
                                             {13, 3},
                                             {1, 8},
                                             {1, 13}}) {
                for (const std::size_t size : {std::size_t{2048}, std::size_t{40960}, std::size_t{1} << 20}) {
                    const RankPlacement layout(nodes, ppn);
                    const models::Call call{&layout, size};
                    if (!models::is_allowed(algorithm, call) || (size > 40960 && layout.ranks() > 20)) {
                        continue;
                    }
                    models::Profile profile = models::profile(algorithm, call);
                    profile.latency_share_between = profile.latency_share_within = 1;
                    const double expected = models::cost(profile, static_cast<double>(size), closed);
                    // of more messages, some wait in the interface while others move
                    const bool is_crowded =
                        std::any_of(profile.rounds.begin(), profile.rounds.end(),
                                    [](const auto& round) { return round.first.between.messages > 16; });
                    const double tolerance = is_crowded ? 0.03 : 0.01;
                    const double played = seconds(algorithm.schedule(call), layout, m, Pace::together);
                    EXPECT_NEAR(played, expected, tolerance * expected)
                        << algorithm.collective << " " << algorithm.name << " " << nodes << "x" << ppn << " "
                        << size;
                    ++calls[std::string(algorithm.collective) + " " + std::string(algorithm.name)];
                }
            }
        }
    }
    EXPECT_GT(calls.size(), 80U) << "algorithms";
}

}  // namespace

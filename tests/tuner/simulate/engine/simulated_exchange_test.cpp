// SPDX-License-Identifier: MIT
#include "simulated_exchange.hpp"

#include <gtest/gtest.h>

#include "error.hpp"
#include "point_to_point.hpp"
#include "star.hpp"

namespace {

using namespace tuner;

SimulatedJob job(int nodes, int ppn) {
    SimulatedJob of = {hosts_of_star(nodes), models::RankPlacement(nodes, ppn), {}};
    of.machine.parameters.between.segments = {{models::LinkCosts::no_end, 20e-6, 0}};
    of.machine.parameters.between.gap_seconds = 12e-6;
    of.machine.parameters.within.segments = {{models::LinkCosts::no_end, 1e-6, 1e-9}};
    of.machine.send_overhead_seconds = 4e-6;
    of.machine.receive_overhead_seconds = 3e-6;
    return of;
}

double seconds(const SimulatedJob& of, std::size_t bytes, double messages, double delay_us) {
    return play_exchange(of,
                         {"ping_pong", "send", "", bytes, {{"messages", messages}, {"delay_us", delay_us}}})
        .seconds;
}

TEST(SimulatedExchange, PingPongIsTwiceTheWay) {
    EXPECT_NEAR(seconds(job(2, 1), 1000, 1, 0), 2 * (20e-6 + 30e-6 + 1000 * 80e-9), 1e-7);
    const ExchangeTime within = play_exchange(job(2, 2), {"ping_pong", "send", "within", 1000, {}});
    EXPECT_NEAR(within.seconds, 2 * (7e-6 + 1e-6), 1e-7) << "overheads are more than the latency";
    EXPECT_EQ(within.messages, 2);
    EXPECT_EQ(within.call.parameters.at("round_trips"), 1);
}

// The parameters that the platform has come back from what the benchmark would measure
TEST(SimulatedExchange, ParametersComeBackFromRoundTrips) {
    const SimulatedJob of = job(2, 1);
    std::vector<models::RoundTrip> round_trips;
    for (const std::size_t bytes : {1, 64, 1024, 4096, 16384, 32768, 65536, 131072}) {
        const auto size = static_cast<double>(bytes);
        const double single = seconds(of, bytes, 1, 0);
        round_trips.push_back({1, 0, size, single});
        round_trips.push_back({10, 0, size, seconds(of, bytes, 10, 0)});
        round_trips.push_back({10, single, size, seconds(of, bytes, 10, 1e6 * single)});
    }
    const ExchangeTime received = play_exchange(of, {"receive_call", "recv", "", 1, {}});
    const std::vector<models::LogGpSegment> found =
        models::log_gp(round_trips, std::vector<models::ReceiveCall>{{1, received.seconds}});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0].gap_seconds_per_byte.value, 80e-9, 0.05 * 80e-9);
    EXPECT_NEAR(found[0].send_overhead_seconds.value, 4e-6, 0.05 * 4e-6);
    EXPECT_NEAR(found[0].receive_overhead_seconds.value, 3e-6, 0.05 * 3e-6);
    EXPECT_NEAR(found[0].gap_seconds.value, 12e-6, 0.05 * 12e-6);
    EXPECT_NEAR(found[0].latency_seconds.value, 50e-6 - 7e-6, 0.05 * 43e-6);
}

TEST(SimulatedExchange, BandwidthIsThatOfTheLink) {
    const ExchangeTime time =
        play_exchange(job(2, 1), {"bandwidth", "one_direction", "", 1 << 16, {{"window", 16}}});
    EXPECT_NEAR(time.messages * (1 << 16) / time.seconds, 12.5e6, 0.03 * 12.5e6);
}

TEST(SimulatedExchange, WhatCannotBeSimulatedIsAnError) {
    EXPECT_FALSE(is_exchange("halo"));
    EXPECT_THROW(play_exchange(job(2, 1), {"ping_pong", "bsend", "", 1, {}}), Error);
    EXPECT_THROW(play_exchange(job(2, 1), {"ping_pong", "send", "within", 1, {}}), Error);
    EXPECT_THROW(play_exchange(job(2, 1), {"ping_pong", "send", "", 1, {{"window", 4}}}), Error);
}

}  // namespace

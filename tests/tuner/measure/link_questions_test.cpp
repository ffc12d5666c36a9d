// SPDX-License-Identifier: MIT
// The exchanges that are asked for, answered by a network that is known: everything once, and the fit finds
// the network again.
#include "link_questions.hpp"
#include "cluster_file.hpp"
#include "round_trip.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace {

using namespace tuner;

models::FittedParameter known(double value) {
    return {"", value, {value, value}, models::Determined::estimated};
}

models::LogGpSegment segment(double from, double latency, double send, double receive, double gap,
                             double per_byte) {
    return {from, 0, known(latency), known(send), known(receive), known(gap), known(per_byte), 0};
}

// Eager up to 128 KiB, then rendezvous
struct KnownNetwork {
    models::LogGpSegment eager;
    models::LogGpSegment rendezvous;

    const models::LogGpSegment& of(double bytes) const { return bytes < 131072 ? eager : rendezvous; }
};

const KnownNetwork gigabit = {segment(1, 30e-6, 4e-6, 6e-6, 9e-6, 8e-9),
                              segment(131072, 90e-6, 10e-6, 10e-6, 120e-6, 8e-9)};
const KnownNetwork slow = {segment(1, 60e-6, 4e-6, 6e-6, 9e-6, 80e-9),
                           segment(131072, 150e-6, 10e-6, 10e-6, 200e-6, 80e-9)};

class Exchanges : public testing::Test {
  protected:
    // Answers with 2% noise until nothing is asked any more
    int measure(const KnownNetwork& network, Link link, const std::string& failing = "",
                const LinkCases& cases = {}) {
        std::normal_distribution<double> noise(0, 0.02);
        int questions = 0;
        while (const std::optional<Group> group = next_exchange(run, "eth", link, cases)) {
            CaseRecord record;
            record.group = run.cases.empty() ? 1 : run.cases.back().group + 1;
            record.stage = group->stage;
            record.network = "eth";
            record.layout = {2, 2, Mapping::block};
            record.collective = group->collective.name;
            record.algorithm = group->algorithms.at(0);
            record.bytes = group->bytes;
            record.link = group->exchange.link;
            record.parameters = group->exchange.parameters;
            const auto bytes = static_cast<double>(group->bytes);
            const models::LogGpSegment& truth = network.of(bytes);
            const double seconds =
                record.collective == "receive_call"
                    ? truth.receive_overhead_seconds.value
                    : round_trip_seconds(truth, static_cast<int>(record.parameters.at("messages")),
                                         1e-6 * record.parameters.at("delay_us"), bytes);
            record.status = record.collective == failing ? Status::crashed : Status::measured;
            for (int i = 0; i < 20 && record.status == Status::measured; ++i) {
                record.samples_seconds.push_back(seconds * std::exp(noise(random)));
            }
            longest = std::max(longest, seconds);
            const auto key = std::tuple(record.link, record.collective, record.bytes, record.parameters);
            EXPECT_TRUE(asked.insert(key).second) << record.collective << " " << record.bytes << " twice";
            run.cases.push_back(record);
            if (++questions > 100) {
                ADD_FAILURE() << "there is no end";
                break;
            }
        }
        return questions;
    }

    std::mt19937_64 random{7};
    RunData run;
    double longest = 0;
    std::set<std::tuple<std::string, std::string, std::size_t, std::map<std::string, double>>> asked;
    const Cluster cluster = cluster_from(CheckedJson(
        Json{{"hosts", {{{"name", "n[1-4]"}, {"slots", 2}}}},
             {"networks", {{{"name", "eth"}}}},
             {"layouts",
              {{{"nodes", 4}, {"ppn", 1}}, {{"nodes", 4}, {"ppn", 2}}, {{"nodes", 2}, {"ppn", 2}}}}},
        "test"));
};

TEST_F(Exchanges, TheFitFindsTheNetworkAgain) {
    const int questions = measure(gigabit, Link::between_nodes);
    EXPECT_LT(questions, 60);
    const NetworkParameters parameters = fit_network_parameters(run, cluster);
    ASSERT_EQ(parameters.size(), 1U) << "nothing was measured within a node";
    const LinkParameters& link = parameters[0];
    EXPECT_EQ(link.link, Link::between_nodes);
    EXPECT_EQ(link.layout, (Layout{2, 2, Mapping::block}));
    ASSERT_EQ(link.log_gp.size(), 2U);
    EXPECT_LT(link.log_gp[0].to_bytes, 131072);
    EXPECT_GT(link.log_gp[1].from_bytes, 131072);
    const models::LogGpSegment& eager = link.log_gp[0];
    EXPECT_NEAR(eager.latency_seconds.value, 30e-6, 3e-6);
    EXPECT_NEAR(eager.send_overhead_seconds.value, 4e-6, 1.5e-6);
    EXPECT_NEAR(eager.receive_overhead_seconds.value, 6e-6, 0.6e-6);
    EXPECT_NEAR(eager.gap_seconds.value, 9e-6, 2e-6);
    EXPECT_NEAR(eager.gap_seconds_per_byte.value, 8e-9, 0.4e-9);
    EXPECT_NEAR(link.log_gp[1].gap_seconds_per_byte.value, 8e-9, 0.8e-9);
    EXPECT_EQ(link.log_gp[1].gap_seconds.determined, models::Determined::estimated);
    EXPECT_NE(link.log_gp[1].send_overhead_seconds.determined, models::Determined::unknown)
        << "it is small beside the transfer, but something depends on it";
    for (const OneWayTime& time : link.one_way) {
        EXPECT_GE(time.interval.high, time.seconds);
        EXPECT_LE(time.interval.low, time.seconds);
    }
}

TEST_F(Exchanges, ASlowNetworkIsNotAskedForWhatTakesLong) {
    measure(slow, Link::between_nodes);
    EXPECT_LT(longest, 0.2);
    const NetworkParameters parameters = fit_network_parameters(run, cluster);
    ASSERT_EQ(parameters.size(), 1U);
    EXPECT_NEAR(parameters[0].log_gp.back().gap_seconds_per_byte.value, 80e-9, 4e-9);
    EXPECT_LT(parameters[0].one_way.back().bytes, 1048576U);
}

// As a check does
TEST_F(Exchanges, AllIsAskedAgainApartFromWhatIsKnown) {
    const int questions = measure(slow, Link::between_nodes);
    asked.clear();
    const LinkCases again = {Stage::check, run.cases.back().group};
    EXPECT_GE(measure(gigabit, Link::between_nodes, "", again), questions);
    EXPECT_EQ(run.cases.back().stage, Stage::check);
    const NetworkParameters before = fit_network_parameters(run, cluster);
    const NetworkParameters after = fit_network_parameters(run, cluster, again);
    ASSERT_EQ(before.size(), 1U);
    ASSERT_EQ(after.size(), 1U);
    EXPECT_NEAR(before[0].log_gp[0].gap_seconds_per_byte.value, 80e-9, 4e-9);
    EXPECT_NEAR(after[0].log_gp[0].gap_seconds_per_byte.value, 8e-9, 0.4e-9);
    EXPECT_FALSE(next_exchange(run, "eth", Link::between_nodes, again));
}

TEST_F(Exchanges, WhatFailedIsNotAskedAgain) {
    EXPECT_LT(measure(gigabit, Link::within_node, "receive_call"), 60);
    const NetworkParameters parameters = fit_network_parameters(run, cluster);
    ASSERT_EQ(parameters.size(), 1U);
    EXPECT_EQ(parameters[0].link, Link::within_node);
    EXPECT_EQ(parameters[0].log_gp[0].receive_overhead_seconds.value,
              parameters[0].log_gp[0].send_overhead_seconds.value)
        << "without times of receiving they count as equal";
    EXPECT_LT(measure(gigabit, Link::between_nodes, "ping_pong"), 30)
        << "one size after the other, no streams";
    EXPECT_EQ(fit_network_parameters(run, cluster).size(), 1U);
}

TEST_F(Exchanges, TheSmallestLayoutWithBothLinksIsTaken) {
    EXPECT_EQ(layout_for(cluster, Link::within_node), (Layout{2, 2, Mapping::block}));
    EXPECT_EQ(layout_for(cluster, Link::between_nodes), (Layout{2, 2, Mapping::block}));
    Cluster flat = cluster;
    flat.layouts = {{4, 1, Mapping::block}, {2, 1, Mapping::block}};
    EXPECT_EQ(layout_for(flat, Link::between_nodes), (Layout{2, 1, Mapping::block}));
    EXPECT_EQ(layout_for(flat, Link::within_node), std::nullopt);
}

}  // namespace

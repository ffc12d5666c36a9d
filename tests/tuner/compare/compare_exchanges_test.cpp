// SPDX-License-Identifier: MIT
// Exchanges and messages of two networks, side by side.
#include "made_up_runs.hpp"
#include "network_parameters.hpp"

namespace {

using namespace tuner;
using CompareExchanges = MadeUpRuns;

// Without any collective: two networks of one run, one with half the latency and twice the bandwidth
TEST_F(CompareExchanges, ExchangesPointByPoint) {
    {
        Journal journal = create("a");
        for (const auto& [network, factor] : {std::pair("eth", 1.0), std::pair("ib", 0.5)}) {
            std::vector<CaseRecord> group;
            for (const std::size_t bytes : {8UL, 64UL, 512UL}) {
                CaseRecord point =
                    record(network, bytes, "send", factor * binomial(static_cast<double>(bytes)));
                point.stage = Stage::exchange;
                point.collective = "ping_pong";
                point.exchange = "ping_pong between";
                point.values = {{"half_us", 50 * factor}, {"megabytes_per_s", 10 / factor}};
                group.push_back(point);
            }
            if (factor == 1) {
                group.back().samples_seconds.back() *= 4;
                group.push_back(group.front());
                group.back().exchange = "ring";
            }
            journal.append(group);
        }
    }
    const Comparison pair = only_pair({"a", "eth", "ib"});
    EXPECT_TRUE(pair.cells.empty());
    ASSERT_EQ(pair.exchanges.size(), 1u);
    ASSERT_EQ(pair.exchanges[0].sizes.size(), 3u);
    for (const ComparedExchangeSize& size : pair.exchanges[0].sizes) {
        EXPECT_NEAR(size.ratio.ratio, 0.5, 1e-9);
        EXPECT_EQ(size.winner, Winner::b);
    }
    EXPECT_NEAR(pair.exchanges[0].sizes[2].tail_a.shares_beyond[1], 1.0 / 21, 1e-12);
    ASSERT_EQ(pair.only_a.size(), 1u);
    EXPECT_CONTAINS(pair.only_a[0], "ring");
    const Comparisons all = compare({folder("a"), "eth", "ib"});
    EXPECT_CONTAINS(to_text(all), "ping_pong between");
    EXPECT_CONTAINS(to_text(all), "MB/s A");
    EXPECT_CONTAINS(to_text(all), ">10x min");
    const Json point = to_json(all).at("pairs")[0].at("exchanges")[0].at("sizes")[0];
    EXPECT_EQ(point.at("a").at("half_us"), 50);
    EXPECT_EQ(point.at("b").at("megabytes_per_s"), 20);
    EXPECT_EQ(point.at("winner"), "B");
    EXPECT_TRUE(point.at("a").at("shares_beyond_times_min").contains("10"));
}

TEST_F(CompareExchanges, MessagesSideBySide) {
    make_run("a", binomial, ring_from(512));
    make_run("b", binomial, ring_from(512));
    const auto known = [](const char* name, double value) {
        return models::FittedParameter{
            name, value, {0.9 * value, 1.1 * value}, models::Determined::estimated};
    };
    const auto save = [&](const std::string& name, double seconds) {
        const models::LogGpSegment segment = {1,
                                              65536,
                                              known("L", seconds),
                                              known("o_s", 1e-6),
                                              known("o_r", 1e-6),
                                              known("g", 1e-6),
                                              known("G", 1e-9),
                                              0.01};
        const std::vector<OneWayTime> times = {{8, seconds, {seconds, seconds}}};
        save_network_parameters(folder(name), {{"eth", Link::between_nodes, four_by_two, {segment}, times}});
    };
    save("a", 30e-6);
    EXPECT_TRUE(only_pair({"", "a", "b"}).messages.empty());
    EXPECT_EQ(only_pair({"", "a", "b"}).parameters.size(), 1u);
    save("b", 60e-6);
    const Comparison pair = only_pair({"", "a", "b"});
    ASSERT_EQ(pair.parameters.size(), 2u);
    EXPECT_EQ(pair.parameters[0].network, "A");
    EXPECT_EQ(pair.parameters[1].network, "B");
    ASSERT_EQ(pair.messages.size(), 1u);
    EXPECT_NEAR(pair.messages[0].ratio.ratio, 2, 1e-9);
}

}  // namespace

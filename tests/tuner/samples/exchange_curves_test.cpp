// SPDX-License-Identifier: MIT
// Exchanges as curves: a curve for each network, layout, exchange and way, with a point for each size.
#include "exchange_curves.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

CaseRecord exchange_record(const std::string& way, std::size_t bytes, std::vector<double> samples) {
    CaseRecord r;
    r.stage = Stage::exchange;
    r.network = "eth";
    r.layout = {2, 1, Mapping::block};
    r.collective = "ping_pong";
    r.exchange = "ping_pong between";
    r.algorithm = way;
    r.bytes = bytes;
    r.samples_seconds = std::move(samples);
    return r;
}

ExchangeCurves curves_of(std::vector<CaseRecord> cases) {
    RunData run;
    run.cases = std::move(cases);
    return exchange_curves(run);
}

const ExchangeKey sent = {"eth", {2, 1, Mapping::block}, "ping_pong between", "send"};

TEST(ExchangeCurves, HaveAPointForEachSize) {
    const ExchangeCurves curves =
        curves_of({exchange_record("send", 64, {4e-6}), exchange_record("send", 1, {1e-6, 3e-6, 2e-6})});
    ASSERT_EQ(curves.size(), 1u);
    const ExchangeCurve& curve = curves.at(sent);
    ASSERT_EQ(curve.size(), 2u);
    EXPECT_EQ(curve.begin()->first, 1u) << "the smallest size is first";
    EXPECT_DOUBLE_EQ(curve.at(1).median_seconds, 2e-6);
    EXPECT_DOUBLE_EQ(curve.at(64).median_seconds, 4e-6);
}

TEST(ExchangeCurves, PutTheGroupsOfASizeTogether) {
    const ExchangePoint point =
        curves_of({exchange_record("send", 1, {9e-6, 1e-6}), exchange_record("send", 1, {2e-6})})
            .at(sent)
            .at(1);
    EXPECT_EQ(point.sorted_seconds, (std::vector<double>{1e-6, 2e-6, 9e-6}));
    EXPECT_DOUBLE_EQ(point.median_seconds, 2e-6);
}

TEST(ExchangeCurves, HaveAnIntervalAroundTheMedian) {
    std::vector<double> samples;
    for (int i = 1; i <= 101; ++i) {
        samples.push_back(1e-6 * (1 + i * 37 % 101));  // in no order: all from 1 to 101
    }
    const ExchangePoint point = curves_of({exchange_record("send", 1, samples)}).at(sent).at(1);
    EXPECT_DOUBLE_EQ(point.median_seconds, 51e-6);
    EXPECT_LT(point.interval.low, 45e-6);
    EXPECT_GT(point.interval.low, 30e-6);
    EXPECT_GT(point.interval.high, 57e-6);
    EXPECT_LT(point.interval.high, 72e-6);
}

TEST(ExchangeCurves, KeepWhatTheBenchmarkDerives) {
    CaseRecord record = exchange_record("send", 1, {2e-6});
    record.values = {{"half_us", 1.0}};
    EXPECT_EQ(curves_of({record}).at(sent).at(1).values.at("half_us"), 1.0);
}

TEST(ExchangeCurves, AreApartByWayAndNetworkAndLayout) {
    CaseRecord other_network = exchange_record("send", 1, {1e-6});
    other_network.network = "fast";
    CaseRecord other_layout = exchange_record("send", 1, {1e-6});
    other_layout.layout.mapping = Mapping::round_robin;
    EXPECT_EQ(curves_of({exchange_record("send", 1, {1e-6}), exchange_record("ssend", 1, {1e-6}),
                         other_network, other_layout})
                  .size(),
              4u);
}

TEST(ExchangeCurves, LeaveOutCollectivesAndFailures) {
    CaseRecord collective = exchange_record("ring", 1, {1e-6});
    collective.stage = Stage::search;
    CaseRecord of_the_model = exchange_record("send", 1, {1e-6});
    of_the_model.stage = Stage::network;
    CaseRecord crashed = exchange_record("send", 1, {});
    crashed.status = Status::crashed;
    EXPECT_TRUE(curves_of({collective, of_the_model, crashed}).empty());
}

}  // namespace

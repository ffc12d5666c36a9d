// SPDX-License-Identifier: MIT
// Cases by what they are, with all of their repetitions; and exchanges as curves.
#include "measured_cases.hpp"

#include <gtest/gtest.h>

#include "exchange_curves.hpp"

namespace {

using namespace tuner;

CaseRecord record(Stage stage, std::size_t bytes, std::vector<double> samples) {
    CaseRecord r;
    r.stage = stage;
    r.network = "eth";
    r.layout = {2, 1, Mapping::block};
    r.collective = stage == Stage::exchange ? "ping_pong" : "bcast";
    r.exchange = stage == Stage::exchange ? "ping_pong between" : "";
    r.algorithm = stage == Stage::exchange ? "send" : "ring";
    r.bytes = bytes;
    r.samples_seconds = std::move(samples);
    return r;
}

TEST(MeasuredCases, PutsAllGroupsOfACaseTogether) {
    RunData run;
    run.cases = {record(Stage::search, 64, {3e-6, 1e-6}), record(Stage::search, 64, {2e-6}),
                 record(Stage::search, 128, {9e-6})};
    const auto cases = measured_cases(run);
    ASSERT_EQ(cases.size(), 2u);
    EXPECT_EQ(cases.begin()->second.sorted_seconds, (std::vector<double>{1e-6, 2e-6, 3e-6}));
}

TEST(MeasuredCases, LeavesOutOtherStagesAndFailures) {
    RunData run;
    run.cases = {record(Stage::verify, 64, {1e-6}), record(Stage::network, 64, {1e-6}),
                 record(Stage::search, 64, {1e-6})};
    run.cases[2].status = Status::crashed;
    EXPECT_TRUE(measured_cases(run).empty());
}

TEST(ExchangeCurves, HaveAPointForEachSize) {
    RunData run;
    run.cases = {record(Stage::exchange, 1, {1e-6, 3e-6, 2e-6}), record(Stage::exchange, 64, {4e-6}),
                 record(Stage::search, 64, {9e-6})};
    run.cases[0].values = {{"half_us", 1.0}};
    const ExchangeCurves curves = exchange_curves(run);
    ASSERT_EQ(curves.size(), 1u) << "the collective has none";
    const auto& [key, curve] = *curves.begin();
    EXPECT_EQ(key.exchange, "ping_pong between");
    EXPECT_EQ(key.way, "send");
    ASSERT_EQ(curve.size(), 2u);
    EXPECT_DOUBLE_EQ(curve.at(1).median_seconds, 2e-6);
    EXPECT_EQ(curve.at(1).values.at("half_us"), 1.0);
}

}  // namespace

// SPDX-License-Identifier: MIT
// Cases by what they are, with all of their repetitions.
#include "measured_cases.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

CaseRecord record(Stage stage, std::size_t bytes, std::vector<double> samples) {
    CaseRecord r;
    r.stage = stage;
    r.network = "eth";
    r.layout = {2, 1, Mapping::block};
    r.collective = "bcast";
    r.algorithm = "ring";
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

// The same times, as neighbours that differ and as neighbours that are alike
TEST(MeasuredCases, KnowLessIfRepetitionsAreLikeTheirNeighbours) {
    std::vector<double> drifting;
    std::vector<double> mixed(100);
    for (std::size_t i = 0; i < mixed.size(); ++i) {
        drifting.push_back(1e-6 * static_cast<double>(100 + i));
        mixed[i * 37 % mixed.size()] = drifting.back();
    }
    RunData run;
    run.cases = {record(Stage::search, 64, drifting), record(Stage::search, 128, mixed)};
    const auto cases = measured_cases(run);
    const models::Interval wide = cases.begin()->second.median_interval;
    const models::Interval narrow = std::next(cases.begin())->second.median_interval;
    EXPECT_EQ(cases.begin()->second.sorted_seconds, std::next(cases.begin())->second.sorted_seconds);
    EXPECT_LT(wide.low, narrow.low);
    EXPECT_GT(wide.high, narrow.high);
}

TEST(MeasuredCases, LeavesOutOtherStagesAndFailures) {
    RunData run;
    run.cases = {record(Stage::verify, 64, {1e-6}), record(Stage::network, 64, {1e-6}),
                 record(Stage::search, 64, {1e-6})};
    run.cases[2].status = Status::crashed;
    EXPECT_TRUE(measured_cases(run).empty());
}

}  // namespace

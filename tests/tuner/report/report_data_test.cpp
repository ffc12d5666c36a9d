// SPDX-License-Identifier: MIT
#include "report_data.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report_run.hpp"

namespace {

using namespace tuner::report;

bool has_problem(const ReportData& data, const std::string& text) {
    return std::any_of(data.problems.begin(), data.problems.end(), [&](const Problem& problem) {
        return (problem.what + problem.remedy).find(text) != std::string::npos;
    });
}

TEST(ReportData, ChoiceAndGainAtEverySize) {
    const ReportRun run;
    run.decide(true);
    const ReportData data = gather(run.folder());
    ASSERT_EQ(data.cells.size(), 1U);
    const std::vector<SizeChoice>& sizes = data.cells[0].sizes;
    ASSERT_EQ(sizes.size(), 5U) << "three measured, two verified";
    EXPECT_EQ(sizes[0].runs, "binomial");
    EXPECT_FALSE(sizes[0].by_rule);
    EXPECT_DOUBLE_EQ(sizes[0].gain, 1);
    EXPECT_EQ(sizes[1].bytes, 2100U);
    EXPECT_TRUE(sizes[1].is_verified);
    EXPECT_DOUBLE_EQ(sizes[1].gain, 1.28);
    EXPECT_EQ(sizes[2].runs, "scatter_ring_allgather");
    EXPECT_TRUE(sizes[2].by_rule);
    EXPECT_DOUBLE_EQ(sizes[2].gain, 1.5);
    EXPECT_EQ(sizes[4].runs, "scatter_ring_allgather") << "what the library chooses there by itself";
    EXPECT_FALSE(sizes[4].by_rule);
}

TEST(ReportData, GainsAreThoseOfSizesThatARuleHoldsFor) {
    const ReportRun run;
    run.decide(true);
    const ReportData data = gather(run.folder());
    ASSERT_EQ(data.gains.proofs.size(), 2U);
    EXPECT_NEAR(data.gains.geometric_mean, 1.44, 1e-12);  // sqrt(1.28 * 1.62)
    EXPECT_DOUBLE_EQ(data.gains.proofs.front()->ratio.ratio, 1.62);
    EXPECT_EQ(data.gains.sizes, 3U);
    EXPECT_EQ(data.gains.changed_sizes, 1U);
    EXPECT_DOUBLE_EQ(data.gains.mean_of_changed, 1.5);
}

TEST(ReportData, StretchesOfTunedAndDefault) {
    const ReportRun run;
    run.decide(false);
    const ReportData data = gather(run.folder());
    const std::vector<Stretch>& by_default = data.cells[0].by_default;
    ASSERT_EQ(by_default.size(), 2U);
    EXPECT_DOUBLE_EQ(by_default[1].from_bytes, 8192);  // the middle of 4096 and 16384
    EXPECT_DOUBLE_EQ(by_default[1].from_interval.low, 4096);
    EXPECT_DOUBLE_EQ(by_default[1].from_interval.high, 16384);
    const std::vector<Stretch>& tuned = data.cells[0].tuned;
    ASSERT_EQ(tuned.size(), 3U);
    EXPECT_EQ(tuned[0].algorithm, "binomial");
    EXPECT_DOUBLE_EQ(tuned[0].to_bytes, 2000);
    EXPECT_TRUE(tuned[1].by_rule);
    EXPECT_DOUBLE_EQ(tuned[1].from_interval.high, 4096);
    EXPECT_EQ(tuned[2].algorithm, "scatter_ring_allgather");
    EXPECT_FALSE(tuned[2].by_rule);
    EXPECT_DOUBLE_EQ(tuned[2].to_bytes, 16384);
}

TEST(ReportData, SaysWhatIsMissing) {
    const ReportRun run;
    const ReportData undecided = gather(run.folder());
    EXPECT_FALSE(undecided.has_config);
    EXPECT_TRUE(has_problem(undecided, "changeover decide"));
    EXPECT_TRUE(has_problem(undecided, "Nothing was measured on <i> 2x2"));
    run.decide(false);
    EXPECT_TRUE(has_problem(gather(run.folder()), "changeover verify"));
    run.decide(true);
    EXPECT_FALSE(has_problem(gather(run.folder()), "changeover verify"));
}

TEST(ReportData, WhyACellKeepsTheDefault) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    ASSERT_TRUE(data.cells[0].near_miss);
    EXPECT_EQ(data.cells[0].near_miss->algorithm, "scatter_ring_allgather");
    EXPECT_EQ(data.cells[0].near_miss->bytes, 4096U);
    EXPECT_DOUBLE_EQ(data.cells[0].near_miss->gain, 1.5);
    EXPECT_EQ(data.cells[0].near_miss->why, "is faster; no rule was decided yet");
}

TEST(ReportData, DoubtfulCasesNameTheSetting) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    ASSERT_EQ(data.doubtful.size(), 1U);
    EXPECT_EQ(data.doubtful[0].cases, 3U);
    EXPECT_EQ(data.doubtful[0].of, 9U);
    EXPECT_DOUBLE_EQ(data.doubtful[0].worst_precision, 0.1);
    EXPECT_NE(data.doubtful[0].setting.find("case_seconds"), std::string::npos);
}

TEST(ReportData, ModelOfEachNetworkOrWhyThereIsNone) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    ASSERT_EQ(data.models.size(), 2U);
    EXPECT_TRUE(data.models[0].fit);
    EXPECT_EQ(data.models[0].times.size(), 6U) << "the default is no algorithm of its own";
    for (const tuner::Prediction::Explained& time : data.models[0].times) {
        EXPECT_NEAR(time.predicted_seconds, data.cells[0].predicted.at(time.algorithm).at(time.bytes),
                    1e-6 * time.predicted_seconds);
    }
    EXPECT_FALSE(data.models[1].fit);
    EXPECT_NE(data.models[1].problem.find("<i>"), std::string::npos);
}

TEST(ReportData, NoRunIsAnError) {
    EXPECT_ANY_THROW(gather("no such folder"));
}

}  // namespace

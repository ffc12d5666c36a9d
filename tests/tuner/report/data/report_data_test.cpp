// SPDX-License-Identifier: MIT
#include "report_data.hpp"

#include <gtest/gtest.h>

#include "report_run.hpp"

namespace {

using namespace tuner::report;

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

TEST(ReportData, LabelsOfOperations) {
    EXPECT_EQ(collective_label({"eth", {2, 2}, "allreduce", "sum"}), "allreduce");
    EXPECT_EQ(collective_label({"eth", {2, 2}, "allreduce", "user"}), "allreduce (user)");
    EXPECT_FALSE(is_same_collective({"a", {}, "scan", "sum"}, {"a", {}, "scan", "user"}));
}

}  // namespace

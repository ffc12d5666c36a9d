// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(SampleFigures, DistributionMarksOutliers) {
    const ReportRun run;
    run.add_case(65536, "binomial", {1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 7e-3});
    const ReportData data = gather(run.folder());
    const Figure figure = draw_distribution(data.distributions.at(0), 0);
    ASSERT_EQ(figure.key.size(), 1U);
    EXPECT_EQ(figure.key[0].label, "binomial: 10 repetitions, median 1 ms, 1 outlier");
    EXPECT_TRUE(contains(figure.body, ">9<")) << "the highest bar";
    EXPECT_TRUE(contains(figure.attributes, "data-distribution=\"0\""));
}

TEST(SampleFigures, FinishOfEachRank) {
    Distribution distribution{{"eth", {2, 2}, "bcast", ""}, 64, "", {}};
    EXPECT_FALSE(has_finishes(distribution));
    distribution.series.push_back({"binomial", {}, {}, 0, {1e-6, 2e-6, 3e-6, 4e-6}});
    EXPECT_TRUE(has_finishes(distribution));
    const Figure figure = draw_finishes(distribution);
    EXPECT_TRUE(contains(figure.body, ">3</text>")) << "the last rank";
    EXPECT_FALSE(contains(figure.body, ">4</text>"));
    EXPECT_EQ(figure.key.at(0).label, "binomial");
}

}  // namespace

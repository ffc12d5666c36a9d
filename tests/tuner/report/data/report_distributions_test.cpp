// SPDX-License-Identifier: MIT
#include "report_data.hpp"

#include <gtest/gtest.h>

#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(ReportDistributions, NoneWhereNothingIsFarOut) {
    const ReportRun run;
    EXPECT_TRUE(gather(run.folder()).distributions.empty());
}

TEST(ReportDistributions, LongestTailIsShownWithItsReason) {
    const ReportRun run;
    run.add_case(65536, "binomial", {1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 7e-3});
    const ReportData data = gather(run.folder());
    ASSERT_EQ(data.distributions.size(), 1U);
    EXPECT_EQ(data.distributions[0].bytes, 65536U);
    EXPECT_EQ(data.distributions[0].why, "the slowest repetition took 7 times the median");
    ASSERT_EQ(data.distributions[0].series.size(), 1U);
    EXPECT_EQ(data.distributions[0].series[0].sorted_seconds.size(), 10U);
    EXPECT_EQ(data.distributions[0].series[0].outliers, 1U);
}

}  // namespace

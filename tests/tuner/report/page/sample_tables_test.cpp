// SPDX-License-Identifier: MIT
#include "table_rows.hpp"

#include <gtest/gtest.h>

#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(SampleTables, RepetitionsOfWhatIsShown) {
    ReportData data;
    data.distributions.push_back(
        {{"eth", {2, 2}, "bcast", ""}, 64, "", {{"binomial", {1e-6, 2e-6, 9e-6}, {}, 1, {3e-6, 4e-6}}}});
    const Table samples = samples_table(data);
    ASSERT_EQ(samples.rows(), 3U);
    EXPECT_EQ(samples.groups[0].key.back(), "binomial");
    EXPECT_EQ(samples.groups[0].rows[2][0], 9);
    const Table finishes = finishes_table(data);
    ASSERT_EQ(finishes.rows(), 2U);
    EXPECT_EQ(finishes.groups[0].rows[1], (std::vector<tuner::Json>{1, 4})) << "rank and microseconds";
}

TEST(SampleTables, PlacesAndImpreciseCases) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    EXPECT_EQ(places_table(data).rows(), 2U);
    ASSERT_EQ(doubtful_table(data).rows(), 1U);
    EXPECT_EQ(doubtful_table(data).groups[0].rows[0][6], 3) << "cases";
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "report_data.hpp"

#include <gtest/gtest.h>

#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(ReportCells, ChoiceAndGainAtEverySize) {
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

TEST(ReportCells, StretchesOfTunedAndDefault) {
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

TEST(ReportCells, WhyACellKeepsTheDefault) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    ASSERT_TRUE(data.cells[0].near_miss);
    EXPECT_EQ(data.cells[0].near_miss->algorithm, "scatter_ring_allgather");
    EXPECT_EQ(data.cells[0].near_miss->bytes, 4096U);
    EXPECT_DOUBLE_EQ(data.cells[0].near_miss->gain, 1.5);
    EXPECT_EQ(data.cells[0].near_miss->why, "is faster; no rule has been decided yet");
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "table_rows.hpp"

#include <gtest/gtest.h>

#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(CellTables, TimesInMicrosecondsWithPredictions) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    const Table times = times_table(data);
    EXPECT_EQ(times.rows(), 9U);
    const TableGroup& binomial = times.groups[0];
    EXPECT_EQ(binomial.key[0], "eth");
    EXPECT_EQ(binomial.key[6], "binomial");
    EXPECT_EQ(binomial.rows[1][0], 4096);
    EXPECT_EQ(binomial.rows[1][1], 30);
    EXPECT_TRUE(binomial.rows[1][5].is_number());
}

TEST(CellTables, RulesVerificationAndWhatKeepsTheDefault) {
    const ReportRun run;
    const ReportData undecided = gather(run.folder());
    EXPECT_TRUE(rules_table(undecided).is_empty());
    EXPECT_EQ(not_improved_table(undecided).rows(), 1U);
    run.decide(true);
    ReportData data = gather(run.folder());
    ASSERT_EQ(rules_table(data).rows(), 1U);
    EXPECT_EQ(rules_table(data).groups[0].rows[0][8], "scatter_ring_allgather");
    data.config.rules[0].where = {{2, 8}, {1, tuner::CountRange::no_last}};
    data.config.rules[0].tested_cells = 12;
    const std::vector<tuner::Json> row = rules_table(data).groups[0].rows[0];
    EXPECT_EQ(row[1], "2 to 8");
    EXPECT_EQ(row[2], "any");
    EXPECT_EQ(row[3], "any");
    EXPECT_EQ(row[row.size() - 2], 12);
    EXPECT_EQ(row.back(), nullptr) << "nothing is added, so that no bits can change";
    EXPECT_EQ(row.size(), rules_table(data).columns.size());
    EXPECT_EQ(proofs_table(data).rows(), 3U);
    EXPECT_TRUE(not_improved_table(data).is_empty());
}

TEST(CellTables, OneGroupOfChoicesForEachCell) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    EXPECT_EQ(choices_table(data).groups.size(), data.cells.size());
    ASSERT_EQ(changeovers_table(data).rows(), 2U) << "by the library itself, which tuned leaves alone";
    EXPECT_EQ(changeovers_table(data).groups[0].rows[0][1], "binomial");
}

}  // namespace

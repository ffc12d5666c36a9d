// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report_run.hpp"
#include "table_rows.hpp"

namespace {

using namespace tuner::report;

TEST(Tables, EveryRowHasAllColumns) {
    const ReportRun run;
    run.decide(true);
    const ReportData data = gather(run.folder());
    std::size_t rows = 0;
    for (const Table& table : tables_of(data)) {
        for (const TableGroup& group : table.groups) {
            for (const std::vector<tuner::Json>& row : group.rows) {
                EXPECT_EQ(group.key.size() + row.size(), table.columns.size()) << table.name;
                ++rows;
            }
        }
    }
    EXPECT_GT(rows, 20U);
}

TEST(Tables, NumbersAreShort) {
    EXPECT_EQ(rounded(1.23456).dump(), "1.235");
    EXPECT_EQ(rounded(30).dump(), "30") << "whole numbers have no point";
    EXPECT_TRUE(rounded(NAN).is_null());
    EXPECT_EQ(microseconds(2.5e-6).dump(), "2.5");
}

TEST(Tables, EmptyGroupsAreLeftOut) {
    Table table = grouped_table("t", "title", {"a", "b"});
    add_group(table, {{1}, {}});
    EXPECT_TRUE(table.groups.empty());
    add_group(table, {{1}, {{2}, {3}}});
    EXPECT_EQ(table.rows(), 2U);
    EXPECT_EQ(to_json(table).at("groups").at(0).dump(), R"({"key":[1],"rows":[[2],[3]]})");
}

}  // namespace

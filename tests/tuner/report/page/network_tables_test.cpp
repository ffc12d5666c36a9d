// SPDX-License-Identifier: MIT
#include "table_rows.hpp"

#include <gtest/gtest.h>

#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(NetworkTables, ModelOfTheNetworksThatHaveOne) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    const Table parameters = parameters_table(data);
    ASSERT_FALSE(parameters.is_empty());
    for (const auto& row : parameters.groups[0].rows) {
        EXPECT_EQ(row[0], "eth");
    }
    EXPECT_EQ(algorithms_table(data).rows(), 2U) << "binomial and scatter_ring_allgather";
}

TEST(NetworkTables, ExchangesHaveAColumnForEachQuantity) {
    ReportData data;
    data.exchanges[{"ib", {2, 1}, "ping_pong between", "send"}][1] = {
        50e-6, {49e-6, 51e-6}, {{"half_us", 25}}, {49e-6, 50e-6, 51e-6}};
    const Table table = exchanges_table(data);
    ASSERT_EQ(table.rows(), 1U);
    const auto column = std::find(table.columns.begin(), table.columns.end(), "half_us");
    ASSERT_NE(column, table.columns.end());
    const std::size_t position = static_cast<std::size_t>(column - table.columns.begin());
    EXPECT_EQ(table.groups[0].rows[0][position - table.groups[0].key.size()], 25);
}

}  // namespace

// SPDX-License-Identifier: MIT
// What jobs with all collectives measure. That their library reads the rules: other_library_tune_test.sh.
#include "rules_loaded.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

Cell cell_with(const std::vector<std::pair<std::size_t, double>>& seconds) {
    Cell cell;
    for (const auto& [bytes, time] : seconds) {
        cell.times[bytes][default_algorithm].time.median_seconds = time;
    }
    return cell;
}

}  // namespace

TEST(OuterLayouts, AreThoseWithMostRanksAndWithMostNodesOfOneRank) {
    Cells cells;
    for (const Layout& layout : {Layout{1, 4}, Layout{2, 4}, Layout{2, 1}, Layout{4, 1}, Layout{4, 2}}) {
        cells[{"eth", layout, "bcast", ""}] = {};
    }
    cells[{"ib", {8, 8}, "bcast", ""}] = {};
    const std::vector<Layout> layouts = outer_layouts(cells, "eth");
    ASSERT_EQ(layouts.size(), 2U);
    EXPECT_EQ(layouts[0].ranks(), 8);
    EXPECT_EQ(layouts[1], (Layout{4, 1}));
    EXPECT_EQ(outer_layouts(cells, "ib").size(), 1U);
    EXPECT_TRUE(outer_layouts(cells, "none").empty());
}

TEST(SpreadSizes, AreEvenWithoutThoseThatTakeTooLong) {
    const Cell cell =
        cell_with({{8, 1e-5}, {64, 1e-5}, {512, 1e-5}, {4096, 1e-4}, {32768, 1e-3}, {1 << 20, 0.5}});
    EXPECT_EQ(spread_sizes(cell, 3), (std::vector<std::size_t>{8, 512, 32768}));
    EXPECT_EQ(spread_sizes(cell, 9).size(), 5U);
    EXPECT_EQ(spread_sizes(cell_with({{0, 1e-5}}), 4), std::vector<std::size_t>{0}) << "a barrier";
    EXPECT_TRUE(spread_sizes({}, 4).empty());
}

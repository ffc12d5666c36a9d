// SPDX-License-Identifier: MIT
#include "search_view.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

TEST(SearchView, HasALineForEachLayout) {
    const CellKey small = {"eth", {2, 1}, "bcast", ""};
    const CellKey large = {"eth", {16, 8}, "bcast", ""};
    const std::vector<CellProgress> cells = {
        {small, true, true}, {small, true, false}, {large, false, false}};
    const std::vector<std::string> expected = {"eth 2x1   grids 2 of 2, cells 1 of 2",
                                               "eth 16x8  grids 0 of 1, cells 0 of 1"};
    EXPECT_EQ(layout_lines(cells), expected);
    EXPECT_TRUE(layout_lines({}).empty());
}

TEST(SearchView, ExpectsALossWhenAllCellsAreKnown) {
    const CellKey key = {"eth", {2, 1}, "bcast", ""};
    std::vector<CellProgress> cells = {{key, true, true, 0.01}, {key, false, false}};
    EXPECT_FALSE(expected_loss_of({}));
    EXPECT_FALSE(expected_loss_of(cells));
    cells[1].expected_loss = 0.03;
    EXPECT_DOUBLE_EQ(expected_loss_of(cells).value(), 0.02);
}

void measure(Cell& cell, std::size_t bytes, const std::string& algorithm, double seconds,
             const std::string& used = "") {
    cell.times[bytes][algorithm].time = {bytes, seconds, {seconds, seconds}};
    cell.times[bytes][algorithm].used = used;
}

TEST(SearchView, TellsTheFastestAlgorithmBySize) {
    Cell cell;
    EXPECT_EQ(best_line(cell), "");
    for (const std::size_t bytes : {8, 64, 512}) {
        measure(cell, bytes, "default", 1, "smp");
        measure(cell, bytes, "smp", 1.1, "smp");
        measure(cell, bytes, "ring", 2);
    }
    measure(cell, 4096, "smp", 2);
    measure(cell, 4096, "ring", 1);
    EXPECT_EQ(best_line(cell), "best so far: 8 to 512 smp, 4Ki ring");
}

}  // namespace

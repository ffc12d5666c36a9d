// SPDX-License-Identifier: MIT
#include "layout_grid.hpp"

#include <gtest/gtest.h>

#include "decide.hpp"
#include "recorded_layouts.hpp"

namespace {

using namespace tuner;

TEST(CountSteps, HaveEveryNumberOnceAndPowersOfTwoAlone) {
    for (const int last : {1, 12, 16, 17, 40, 64, 100, 1000}) {
        int next = 1;
        for (const CountStep& step : count_steps(last)) {
            EXPECT_EQ(step.first, next);
            EXPECT_GE(step.last, step.first);
            for (int power = 16; power <= last; power *= 2) {
                EXPECT_TRUE(step.first == step.last || power < step.first || power > step.last) << power;
            }
            next = step.last + 1;
        }
        EXPECT_EQ(next, last + 1);
    }
    EXPECT_LT(count_steps(1000).size(), 40u);
}

class Grid : public testing::Test {
  protected:
    static constexpr int round_robin = 0;
    static constexpr int block = LayoutGrid::block_kind;
    static constexpr int uneven = LayoutGrid::uneven_kind;

    LayoutGrid grid(const std::vector<Rule>& measured = {}, const Extent& extent = {24, 3},
                    const RangeLimits& limits = {}) {
        const LayoutGains gains(cells, "eth", *prediction);
        return LayoutGrid(cells, "eth", "bcast", gains, measured, extent, limits);
    }
    Cells cells = [] {
        Cells some = recorded_layouts::cells("eth");
        std::erase_if(some, [](const auto& entry) { return entry.first.layout.nodes < 3; });
        return some;
    }();
    std::optional<Prediction> prediction = Prediction::of(cells, "eth", recorded_layouts::shape("eth"));
};

TEST_F(Grid, KnowsWhatIsInsideOfTheMeasuredLayouts) {
    const LayoutGrid all = grid();
    const auto area = [&](int nodes, int ppn) { return all.spot({{nodes - 1, ppn - 1, block, 3}}).area; };
    EXPECT_EQ(area(1, 3), Area::outside) << "no network, and not measured";
    EXPECT_EQ(area(2, 3), Area::beyond);
    EXPECT_EQ(area(5, 2), Area::between);
    EXPECT_EQ(area(12, 3), Area::between);
    EXPECT_EQ(area(13, 3), Area::beyond);
}

// 40 x 64 ranks would take seconds, and the square of it for more
TEST_F(Grid, LeavesHugeJobsToTheLibrary) {
    RangeLimits limits;
    limits.beyond_factor = 1000;
    const LayoutGrid all = grid({}, {40, 64}, limits);
    EXPECT_LT(all.sizes().size(), 15u);
    for (const Position& at : all.positions()) {
        const CountStep& nodes = all.nodes()[static_cast<std::size_t>(at.at[0])];
        const CountStep& ppn = all.ppn()[static_cast<std::size_t>(at.at[1])];
        const int missing = at.at[2] == uneven ? ppn.typical() / 2 : 0;
        const int ranks = nodes.typical() * ppn.typical() - missing;
        EXPECT_EQ(all.spot(at).area == Area::outside,
                  ranks > (at.at[2] == block ? 2048 : 128) || nodes.typical() == 1)
            << nodes.typical() << 'x' << ppn.typical();
    }
}

TEST_F(Grid, SizesAreWithoutGaps) {
    const LayoutGrid all = grid();
    EXPECT_EQ(all.sizes().front().from_bytes, 0u);
    EXPECT_EQ(all.sizes().back().to_bytes, std::size_t{1} << 20);
    for (std::size_t i = 1; i < all.sizes().size(); ++i) {
        EXPECT_LE(all.sizes()[i].from_bytes, all.sizes()[i - 1].to_bytes + 1);
        EXPECT_GT(all.sizes()[i].to_bytes, all.sizes()[i].from_bytes);
    }
}

TEST_F(Grid, WhatWasMeasuredIsCoveredByARuleOrClosed) {
    Rule rule;
    rule.network = "eth";
    rule.collective = "bcast";
    rule.where = LayoutRange::exactly({6, 2});
    rule.algorithm = "smp";
    rule.from_bytes = 0;
    rule.to_bytes = 2047;
    const LayoutGrid all = grid({rule});
    for (int size = 0; size < all.extent()[3]; ++size) {
        const Spot& spot = all.spot({{5, 1, block, size}});
        const bool is_inside = all.sizes()[static_cast<std::size_t>(size)].to_bytes <= 2047;
        EXPECT_EQ(spot.is_covered, is_inside) << size;
        EXPECT_EQ(spot.is_closed, !is_inside) << size;
        EXPECT_FALSE(all.spot({{6, 1, block, size}}).is_closed) << "7x2 was not measured";
        EXPECT_FALSE(all.spot({{5, 1, round_robin, size}}).is_closed) << "nor was round-robin";
        EXPECT_FALSE(all.spot({{5, 1, uneven, size}}).is_closed) << "nor was 6x2-1";
    }
}

TEST_F(Grid, WhatWasMeasuredWithFewerRanksOnTheLastNodeIsClosedThere) {
    const Cell on_full_nodes = cells.at({"eth", {6, 2}, "bcast", ""});
    cells[{"eth", {6, 2, Mapping::block, 1}, "bcast", ""}] = on_full_nodes;
    const LayoutGrid all = grid();
    EXPECT_TRUE(all.spot({{5, 1, uneven, 3}}).is_closed);
    EXPECT_FALSE(all.spot({{6, 1, uneven, 3}}).is_closed);
    EXPECT_TRUE(all.spot({{5, 0, uneven, 3}}).is_trivial) << "one rank on each node";
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "rank_placement.hpp"

#include <gtest/gtest.h>

namespace {

using models::Mapping;
using models::RankPlacement;

TEST(RankPlacement, BlockFillsANodeBeforeTheNext) {
    const RankPlacement placement(3, 2);
    EXPECT_EQ(placement.nodes, 3);
    EXPECT_EQ(placement.ranks(), 6);
    EXPECT_EQ(placement.node_of_rank, (std::vector{0, 0, 1, 1, 2, 2}));
}

TEST(RankPlacement, RoundRobinGivesEachNodeARankInTurn) {
    const RankPlacement placement(3, 2, Mapping::round_robin);
    EXPECT_EQ(placement.node_of_rank, (std::vector{0, 1, 2, 0, 1, 2}));
    EXPECT_EQ(placement.ranks_of_nodes(), (std::vector<std::vector<int>>{{0, 3}, {1, 4}, {2, 5}}));
}

TEST(RankPlacement, NodesMayHaveDifferentNumbersOfRanks) {
    const RankPlacement placement(std::vector{2, 0, 0, 1, 0});
    EXPECT_EQ(placement.nodes, 3);
    EXPECT_EQ(placement.ranks_of_nodes(), (std::vector<std::vector<int>>{{1, 2, 4}, {3}, {0}}));
}

TEST(RankPlacement, WithFewerRanksOnTheLastNodeIsNotEven) {
    const RankPlacement placement(std::vector{0, 0, 1, 1, 2, 2, 3});
    EXPECT_EQ(placement.nodes, 4);
    EXPECT_EQ(placement.ranks(), 7);
    EXPECT_EQ(placement.ranks_on_nodes(), (std::vector{2, 2, 2, 1}));
    EXPECT_EQ(placement.ranks_of_nodes().back(), std::vector{6});
    EXPECT_EQ(placement.even_mapping(), std::nullopt);
    EXPECT_EQ(RankPlacement(std::vector{0, 1, 2, 3, 0, 1, 2}).even_mapping(), std::nullopt);
}

TEST(Mapping, HasTheNamesOfTheCommandLine) {
    EXPECT_STREQ(models::to_string(Mapping::block), "block");
    EXPECT_STREQ(models::to_string(Mapping::round_robin), "round-robin");
}

TEST(RankPlacement, KnowsAnEvenMapping) {
    EXPECT_EQ(RankPlacement(3, 2).even_mapping(), Mapping::block);
    EXPECT_EQ(RankPlacement(3, 2, Mapping::round_robin).even_mapping(), Mapping::round_robin);
    EXPECT_EQ(RankPlacement(std::vector{0, 0, 1}).even_mapping(), std::nullopt);
    EXPECT_EQ(RankPlacement(std::vector{0, 1, 1, 0}).even_mapping(), std::nullopt);
}

TEST(RankPlacement, CountsTheRanksOfEachNode) {
    EXPECT_EQ(RankPlacement(std::vector{0, 2, 1, 2}).ranks_on_nodes(), (std::vector{1, 1, 2}));
}

}  // namespace

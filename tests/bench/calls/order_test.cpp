// SPDX-License-Identifier: MIT
#include "order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace {

using namespace bench;
using models::Ended;

TEST(Order, HasNames) {
    EXPECT_EQ(order_named("random"), Order::random);
    EXPECT_EQ(order_named("pairs"), Order::pairs);
    EXPECT_STREQ(to_string(Order::pairs), "pairs");
    EXPECT_THROW(order_named("alternating"), std::invalid_argument);
}

TEST(Order, AtRandomHasAllRepetitionsOfEachCase) {
    std::mt19937_64 random(1);
    const std::vector<std::size_t> order = in_random_order({8, 0, 5}, random);
    EXPECT_EQ(order.size(), 13U);
    EXPECT_EQ(std::count(order.begin(), order.end(), 0U), 8);
    EXPECT_EQ(std::count(order.begin(), order.end(), 2U), 5);
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
}

TEST(Order, PairsAreNeighboursAndBalancedInEachBlock) {
    std::mt19937_64 random(1);
    const std::vector<std::size_t> order = in_pairs(400, random);
    ASSERT_EQ(order.size(), 800U);
    std::set<std::vector<std::size_t>> blocks;
    int beginning_with_first = 0;
    for (auto at = order.begin(); at != order.end(); at += 4) {
        blocks.insert({at, at + 4});
        beginning_with_first += *at == 0;
    }
    EXPECT_EQ(blocks, (std::set<std::vector<std::size_t>>{{0, 1, 1, 0}, {1, 0, 0, 1}}));
    EXPECT_GT(beginning_with_first, 70) << "of 200: it is left to chance";
    EXPECT_LT(beginning_with_first, 130);
}

TEST(Order, MembersOfAPairEndTogether) {
    constexpr struct {
        Ended own, partner, end;
    } rows[] = {
        {Ended::not_yet, Ended::not_yet, Ended::not_yet},
        {Ended::precise, Ended::not_yet, Ended::not_yet},  // goes on with its partner
        {Ended::not_yet, Ended::precise, Ended::not_yet},
        {Ended::precise, Ended::precise, Ended::precise},
        {Ended::precise, Ended::time, Ended::precise},
        {Ended::time, Ended::precise, Ended::time},
        {Ended::not_yet, Ended::time, Ended::time},
        {Ended::not_yet, Ended::repetitions, Ended::repetitions},
        {Ended::time, Ended::not_yet, Ended::time},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(end_in_pair(row.own, row.partner), row.end)
            << models::to_string(row.own) << ", " << models::to_string(row.partner);
        EXPECT_EQ(end_in_pair(row.own, row.partner) == Ended::not_yet,
                  end_in_pair(row.partner, row.own) == Ended::not_yet);
    }
}

}  // namespace

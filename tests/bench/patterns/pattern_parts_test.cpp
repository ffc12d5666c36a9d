// SPDX-License-Identifier: MIT
// How many elements a rank has, and where those of a result come from: rank 1 of 4, 10 elements a block.
#include "pattern_parts.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

constexpr RankCall call = {.rank = 1, .ranks = 4, .root = 1, .count = 10, .peer = 3};

void expect_origin(const Origin& origin, int first, int last, std::size_t index) {
    EXPECT_EQ(origin.first, first);
    EXPECT_EQ(origin.last, last);
    EXPECT_EQ(origin.index, index);
}

TEST(PatternParts, CountElements) {
    RankCall other = call;
    other.root = 0;
    EXPECT_EQ(parts::all_blocks(call), 40U);
    EXPECT_EQ(parts::all_blocks_at_root(call), 40U);
    EXPECT_EQ(parts::all_blocks_at_root(other), 0U);
    EXPECT_EQ(parts::one_block_at_root(other), 0U);
    EXPECT_EQ(parts::one_block_of_parties(call), 10U);
    EXPECT_EQ(parts::one_block_of_parties(other), 0U) << "rank 1 is neither root nor peer";
}

TEST(PatternParts, NameTheOriginOfAResult) {
    expect_origin(parts::gathered(call, 23), 2, 2, 3);
    expect_origin(parts::transposed(call, 23), 2, 2, 13);
    expect_origin(parts::combined_over_all(call, 7), 0, 3, 7);
    expect_origin(parts::own_block_combined(call, 7), 0, 3, 17);
    expect_origin(parts::from_the_other(call, 5), 3, 3, 5);
}

TEST(PatternParts, LeaveTheRestUndefined) {
    const auto is_undefined = [](const Origin& origin) { return origin.last < origin.first; };
    EXPECT_TRUE(is_undefined(parts::own_block_combined(call, 10)));
    EXPECT_TRUE(is_undefined(parts::own_block_of_all(call, 23)));
    EXPECT_FALSE(is_undefined(parts::own_block_of_all(call, 13)));
    EXPECT_TRUE(is_undefined(parts::no_input(call, 0)));
}

}  // namespace

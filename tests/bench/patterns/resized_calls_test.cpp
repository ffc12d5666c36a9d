// SPDX-License-Identifier: MIT
// The scratch memory of calls with other sizes. That their results are right: call_data_test.
#include "resized_calls.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

TEST(ResizedCalls, HaveMemoryForPaddedBlocks) {
    const RankCall root = {.rank = 0, .ranks = 4, .root = 0, .count = 5};
    const RankCall other = {.rank = 1, .ranks = 4, .root = 0, .count = 5};
    const Pattern& gather = *find_pattern("gather");
    EXPECT_EQ(resized::scratch_of_double_size(gather, root), 10U + 4 * 10U);
    EXPECT_EQ(resized::scratch_of_double_size(gather, other), 10U);
    EXPECT_EQ(resized::scratch_of_halves(gather, root), 3U + 4 * 3U) << "the larger half";
}

TEST(ResizedCalls, OfAnEmptyMessageNeedNoMemory) {
    const RankCall empty = {.rank = 0, .ranks = 4, .root = 0, .count = 0};
    EXPECT_EQ(resized::scratch_of_double_size(*find_pattern("bcast"), empty), 0U);
    EXPECT_EQ(resized::scratch_of_halves(*find_pattern("bcast"), empty), 0U);
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "process_sets.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace bench;

TEST(ProcessSets, AreRead) {
    EXPECT_TRUE(parse_process_sets("", 4).empty());
    const auto each = parse_process_sets("each", 3);
    ASSERT_EQ(each.size(), 3u);
    EXPECT_EQ(each[2].name, "2");
    EXPECT_EQ(each[2].ranks, std::vector<int>{2});
    const auto sets = parse_process_sets("0-2,5/3,4", 6);
    ASSERT_EQ(sets.size(), 2u);
    EXPECT_EQ(sets[0].name, "0-2,5");
    EXPECT_EQ(sets[0].ranks, (std::vector<int>{0, 1, 2, 5}));
    EXPECT_EQ(sets[1].ranks, (std::vector<int>{3, 4}));
}

TEST(ProcessSets, MistakesAreTold) {
    for (const char* wrong : {"4", "0-4", "-1", "all", "0;1", "3-1", "1//2", "1,x"}) {
        EXPECT_THROW(parse_process_sets(wrong, 4), std::invalid_argument) << wrong;
    }
}

TEST(ProcessSets, FinishesOfAllRepetitions) {
    CaseResult result;
    result.repetitions = {{4, {}, {1, 2, 3, 4}, {}}, {8, {}, {5, 6, 7, 8}, {}}};
    const auto sets = parse_process_sets("1,3/0-3", 4);
    EXPECT_EQ(sorted_finishes(result, sets[0]), (std::vector<double>{2, 4, 6, 8}));
    EXPECT_EQ(sorted_finishes(result, sets[1]), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "case_result.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

TEST(CaseResult, HasTheTimesInTheirOrder) {
    CaseResult result;
    result.repetitions = {{3, {}, {}, {}}, {1, {}, {}, {}}, {2, {}, {}, {}}};
    EXPECT_EQ(seconds_of(result), (std::vector<double>{3, 1, 2}));
    EXPECT_DOUBLE_EQ(median_seconds(result), 2);
    EXPECT_TRUE(median_finish_of_ranks(result).empty()) << "they were not kept";
}

TEST(CaseResult, HasTheMedianFinishOfEachRank) {
    CaseResult result;
    result.repetitions = {{0, {}, {1, 40}, {}}, {0, {}, {3, 20}, {}}, {0, {}, {2, 30}, {}}};
    EXPECT_EQ(median_finish_of_ranks(result), (std::vector<double>{2, 30}));
}

TEST(CaseResult, NamesEveryStatus) {
    EXPECT_STREQ(to_string(Status::measured), "measured");
    EXPECT_STREQ(to_string(Status::wrong_algorithm), "wrong algorithm");
}

}  // namespace

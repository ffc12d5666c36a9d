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

CaseResult times(int count, double (*seconds_of_repetition)(int)) {
    CaseResult result;
    for (int i = 0; i < count; ++i) {
        result.repetitions.push_back({seconds_of_repetition(i), {}, {}, {}});
    }
    return result;
}

TEST(CaseResult, HasADriftIfTheLevelChanges) {
    const auto rising = drift_of(times(90, [](int i) { return 1 + 0.05 * i / 90 + 0.01 * (i % 7); }));
    ASSERT_TRUE(rising);
    EXPECT_NEAR(rising->change, 0.033, 0.01);
    EXPECT_TRUE(rising->is_clear);
    const auto noisy = drift_of(times(90, [](int i) { return 1 + 0.1 * (i % 7); }));
    ASSERT_TRUE(noisy);
    EXPECT_FALSE(noisy->is_clear) << noisy->change;
    const auto small = drift_of(times(90, [](int i) { return 1 + 0.01 * i / 90; }));
    ASSERT_TRUE(small);
    EXPECT_FALSE(small->is_clear) << "clear, but of less than 2%";
    const auto falling = drift_of(times(24, [](int i) { return i < 8 ? 2.0 + 0.001 * i : 1.0; }));
    ASSERT_TRUE(falling);
    EXPECT_NEAR(falling->change, -0.5, 0.01);
    EXPECT_TRUE(falling->is_clear);
    EXPECT_FALSE(drift_of(times(23, [](int i) { return 1.0 + i; }))) << "too few to tell";
}

TEST(CaseResult, IsSkewedFromAFifthOfARepetitionOn) {
    CaseResult result;
    EXPECT_FALSE(is_skewed(result, 1)) << "without a repetition";
    result.repetitions = {{10, {}, {}, {}, 1.9}, {10, {}, {}, {}, 2.1}, {10, {}, {}, {}, 2.2}};
    EXPECT_DOUBLE_EQ(median_start_skew(result).value_or(0), 2.1);
    EXPECT_TRUE(is_skewed(result, 1));
    EXPECT_FALSE(is_skewed(result, 2)) << "of two calls, 10 each";
}

TEST(CaseResult, NamesEveryStatus) {
    EXPECT_STREQ(to_string(Status::measured), "measured");
    EXPECT_STREQ(to_string(Status::wrong_algorithm), "wrong algorithm");
}

}  // namespace

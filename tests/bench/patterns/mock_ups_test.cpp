// SPDX-License-Identifier: MIT
// The mock-ups are those of the guidelines, and no others. That their results are right: call_data_test.
#include "mock_ups.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

TEST(MockUps, EveryGuidelineHasOne) {
    std::size_t count = 0;
    for (const Pattern* pattern : patterns()) {
        for (const models::Guideline& guideline : models::guidelines_of(pattern->name)) {
            EXPECT_NE(find_mock_up(*pattern, guideline.mock_up), nullptr)
                << pattern->name << " " << guideline.mock_up;
            ++count;
        }
    }
    EXPECT_GT(count, 60U);
}

TEST(MockUps, AreNamedForPeople) {
    EXPECT_EQ(mock_up_names(*find_pattern("barrier")), "mockup:allreduce");
    EXPECT_EQ(mock_up_names(*find_pattern("ibcast")), "mockup:blocking");
    EXPECT_EQ(mock_up_names(*find_pattern("bcast")),
              "mockup:scatter+allgather, mockup:double_size, mockup:two_halves, mockup:nonblocking, "
              "mockup:persistent");
    EXPECT_EQ(mock_up_names(*find_pattern("ping_pong")), "");
}

TEST(MockUps, ThoseOfOthersAreNotTaken) {
    EXPECT_EQ(find_mock_up(*find_pattern("bcast"), "mockup:reduce+bcast"), nullptr);
    EXPECT_EQ(find_mock_up(*find_pattern("barrier"), "mockup:two_halves"), nullptr);
    EXPECT_EQ(find_mock_up(*find_pattern("bcast"), "default"), nullptr);
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "classes.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner::trace;

TEST(TraceClasses, ClassesOfRanks) {
    Kind kind;
    kind.typical_calls = 2;
    kind.stage_seconds = {{1, 1, 0}, {3, 1, 0}, {1.1, 1, 0}, {1, 1.1, 0.1}, {1, 3, 0}};
    const std::vector<RankClass> classes = classes_of(kind);
    ASSERT_EQ(classes.size(), 3U);
    EXPECT_EQ(classes[0].ranks, (std::vector<int>{0, 2, 3}));
    EXPECT_EQ(classes[0].representative, 0);
    EXPECT_NEAR(classes[0].stage_seconds.at(0), 3.1 / 3 / 2, 1e-12);
    EXPECT_EQ(classes[1].ranks, (std::vector<int>{1}));
    EXPECT_EQ(classes[2].ranks, (std::vector<int>{4}));
}

}  // namespace

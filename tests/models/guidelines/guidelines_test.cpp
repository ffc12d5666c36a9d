// SPDX-License-Identifier: MIT
#include "guidelines.hpp"

#include <gtest/gtest.h>

#include <set>

#include "collectives.hpp"

namespace {

using namespace models;

TEST(Guidelines, EveryCollectiveHasSome) {
    for (const Collective& row : collectives()) {
        std::set<std::string_view> names;
        for (const Guideline& guideline : guidelines_of(row.name)) {
            EXPECT_TRUE(is_mock_up(guideline.mock_up)) << guideline.mock_up;
            EXPECT_TRUE(names.insert(guideline.mock_up).second) << row.name << " " << guideline.mock_up;
            EXPECT_FALSE(guideline.right_side.empty() || guideline.source.empty());
        }
        EXPECT_FALSE(names.empty()) << row.name;
    }
}

TEST(Guidelines, APersistentCallIsWhatShouldNotBeSlower) {
    for (const Guideline& guideline : guidelines_of("bcast")) {
        EXPECT_EQ(guideline.is_reversed, guideline.kind == GuidelineKind::persistent) << guideline.mock_up;
    }
}

TEST(Guidelines, WithoutAMessageThereAreNoSizes) {
    const std::vector<Guideline> found = guidelines_of("barrier");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().mock_up, "mockup:allreduce");
    EXPECT_EQ(to_string(found.front().kind), "pattern");
}

TEST(Guidelines, ANonblockingCallIsComparedWithTheBlockingOne) {
    const std::vector<Guideline> found = guidelines_of("iallreduce");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().mock_up, "mockup:blocking");
    EXPECT_EQ(to_string(found.front().kind), "nonblocking");
    EXPECT_TRUE(guidelines_of("unheard_of").empty());
    EXPECT_TRUE(guidelines_of("ping_pong").empty());
}

}  // namespace

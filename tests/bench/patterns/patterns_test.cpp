// SPDX-License-Identifier: MIT
// One table: what is in it is found by name, in the list of names, and as a nonblocking collective.
#include <gtest/gtest.h>

#include <set>

#include "collectives.hpp"
#include "pattern.hpp"
#include "pattern_parts.hpp"

namespace {

using namespace bench;

TEST(Patterns, AreListedOnce) {
    std::set<std::string> names;
    for (const Pattern* pattern : patterns()) {
        EXPECT_TRUE(names.insert(pattern->name).second) << pattern->name;
        EXPECT_EQ(find_pattern(pattern->name), pattern);
        EXPECT_FALSE(pattern->size.meaning.empty()) << pattern->name;
    }
    EXPECT_EQ(find_pattern("bkast"), nullptr);
}

TEST(Patterns, HaveEveryCollectiveOfTheTable) {
    for (const models::Collective& row : models::collectives()) {
        const Pattern* pattern = find_pattern(std::string(row.name));
        ASSERT_NE(pattern, nullptr) << row.name;
        EXPECT_EQ(pattern->combines, row.combines) << row.name;
        const Pattern* nonblocking = find_pattern("i" + pattern->name);
        ASSERT_NE(nonblocking, nullptr) << row.name;
        EXPECT_TRUE(is_nonblocking(*nonblocking));
        EXPECT_FALSE(is_nonblocking(*pattern));
        EXPECT_EQ(nonblocking->size.meaning, row.size.meaning);
    }
}

TEST(Patterns, ANewCollectiveIsOneRowAndOneObject) {
    const models::AddedCollective row(
        {.name = "made_up", .size = {.meaning = "bytes of nothing"}, .has_root = true, .combines = true});
    const Pattern made_up = collective(
        "made_up", parts::no_message, [](const Arguments&) {}, [](const Arguments&, MPI_Request*) {});
    EXPECT_EQ(find_pattern("made_up"), nullptr);
    {
        const AddedPattern added(made_up);
        ASSERT_EQ(find_pattern("made_up"), &made_up);
        EXPECT_TRUE(made_up.has_root && made_up.combines && !made_up.is_exchange());
        ASSERT_NE(find_pattern("imade_up"), nullptr);
        EXPECT_TRUE(is_nonblocking(*find_pattern("imade_up")));
        EXPECT_NE(pattern_names().find("made_up"), std::string::npos);
    }
    EXPECT_EQ(find_pattern("made_up"), nullptr);
    EXPECT_EQ(find_pattern("imade_up"), nullptr);
}

TEST(Patterns, ACollectiveWithoutARowIsAnError) {
    EXPECT_THROW(collective("unheard_of", parts::no_message, nullptr, nullptr), std::logic_error);
}

TEST(Patterns, VariantsHavePositions) {
    const Pattern& ring = *find_pattern("ring");
    EXPECT_EQ(ring.variant_of("sendrecv"), 0U);
    EXPECT_EQ(ring.variant_of("isend"), 1U);
    EXPECT_TRUE(ring.is_exchange());
    EXPECT_FALSE(ring.has_pairs());
    EXPECT_TRUE(find_pattern("ping_pong")->has_pairs());
}

}  // namespace

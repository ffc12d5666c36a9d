// SPDX-License-Identifier: MIT
#include "node_differences.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

AskedNodes with_processors(const std::vector<std::string>& names) {
    AskedNodes asked;
    for (std::size_t i = 0; i < names.size(); ++i) {
        asked.facts["n" + std::to_string(i + 1)].processor = names[i];
    }
    return asked;
}

const NodeProperty processor = {"processor", [](const NodeFacts& facts) { return facts.processor; }};

TEST(DifferencesIn, AreFromWhatMostNodesHave) {
    EXPECT_TRUE(differences_in(with_processors({"A", "A", "A"}), processor).empty());
    const auto found = differences_in(with_processors({"B", "A", "A"}), processor);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].host, "n1");
    EXPECT_EQ(found[0].text, "processor B, others A");
}

TEST(DifferencesIn, OfTwoNodesAreFromTheFirst) {
    const auto found = differences_in(with_processors({"B", "A"}), processor);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].host, "n2");
}

TEST(DifferencesIn, WhatIsNotKnownDiffersFromNothing) {
    EXPECT_TRUE(differences_in(with_processors({"", "", "A"}), processor).empty());
    EXPECT_TRUE(differences_in({}, processor).empty());
}

}  // namespace

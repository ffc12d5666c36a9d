// SPDX-License-Identifier: MIT
// Which ranks exchange messages: by halves, from text, by nodes.
#include "pairs.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace bench;

Placement two_nodes_of_two() {
    return {{"a", "a", "b", "b"}, {"a", "b"}, {2, 2}, 2, 2, 2, "processor"};
}

std::string error_of(const std::string& text) {
    try {
        parse_pairs(text);
        return {};
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

TEST(Pairs, HalvesFaceEachOther) {
    EXPECT_EQ(halves(6), (std::vector<Pair>{{0, 3}, {1, 4}, {2, 5}}));
    EXPECT_EQ(halves(5), (std::vector<Pair>{{0, 2}, {1, 3}})) << "the last one is alone";
    EXPECT_TRUE(halves(1).empty());
}

TEST(Pairs, AreReadFromText) {
    EXPECT_EQ(parse_pairs("0 2\n# a comment\n\n 3\t1 # another\n"), (std::vector<Pair>{{0, 2}, {3, 1}}));
    EXPECT_EQ(error_of("0 1\n2\n"), "line 2: expected two ranks, got '2'");
    EXPECT_EQ(error_of("0 1 2\n"), "line 1: expected two ranks, got '0 1 2'");
    EXPECT_EQ(error_of("0 x\n"), "line 1: expected two ranks, got '0 x'");
    EXPECT_EQ(error_of("# nothing\n"), "the file has no pair; write two ranks on each line");
}

TEST(Pairs, OfOneRankTwiceAreAProblem) {
    EXPECT_EQ(problem_with({{0, 2}, {1, 3}}, 4), "");
    EXPECT_EQ(problem_with({{0, 2}, {2, 3}}, 4), "rank 2 is in more than one pair");
    EXPECT_NE(problem_with({{0, 4}}, 4), "");
    EXPECT_NE(problem_with({{-1, 2}}, 4), "");
    EXPECT_NE(problem_with({{1, 1}}, 4), "");
    EXPECT_NE(problem_with({}, 4), "");
}

TEST(Pairs, AreChosenByNodes) {
    const Placement placement = two_nodes_of_two();
    EXPECT_EQ(pair_by_link(0, "", placement), (Pair{0, 2})) << "between nodes, where there are several";
    EXPECT_EQ(pair_by_link(3, "within", placement), (Pair{3, 2}));
    EXPECT_EQ(pair_by_link(3, "between", placement), (Pair{3, 0}));
    EXPECT_THROW(pair_by_link(0, "outside", placement), std::invalid_argument);
    EXPECT_EQ(link_of({{0, 2}, {1, 3}}, placement), "between");
    EXPECT_EQ(link_of({{0, 1}}, placement), "within");
    EXPECT_EQ(link_of({{0, 1}, {2, 0}}, placement), "mixed");
}

}  // namespace

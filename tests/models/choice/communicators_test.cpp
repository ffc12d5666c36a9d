// SPDX-License-Identifier: MIT
// The rows and columns of a grid of ranks that is filled row by row.
#include "communicators.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace models;
using Ranks = std::vector<int>;

std::string error_of(const std::string& text) {
    try {
        parse_communicators(text);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(Communicators, RowsAndColumnsOfEightRanks) {
    const Communicators rows = parse_communicators("rows:2");
    EXPECT_EQ(ranks_of(rows, 0, 8), (Ranks{0, 1, 2, 3}));
    EXPECT_EQ(ranks_of(rows, 1, 8), (Ranks{4, 5, 6, 7}));
    const Communicators columns = parse_communicators("columns:2");
    EXPECT_EQ(ranks_of(columns, 0, 8), (Ranks{0, 2, 4, 6}));
    EXPECT_EQ(ranks_of(columns, 1, 8), (Ranks{1, 3, 5, 7}));
    EXPECT_EQ(ranks_of(parse_communicators("world"), 0, 3), (Ranks{0, 1, 2}));
}

TEST(Communicators, EachRankIsInOne) {
    for (const char* text : {"rows:4", "columns:4", "rows:3", "columns:3"}) {
        const Communicators all = parse_communicators(text);
        EXPECT_EQ(to_string(all), text);
        std::size_t members = 0;
        for (int which = 0; which < all.count; ++which) {
            members += ranks_of(all, which, 12).size();
            EXPECT_EQ(ranks_of(all, which, 12).size(), 12U / static_cast<unsigned>(all.count));
        }
        EXPECT_EQ(members, 12U) << text;
    }
}

TEST(Communicators, SayWhatCannotBe) {
    EXPECT_EQ(problem_with(parse_communicators("world"), 7), "");
    EXPECT_EQ(problem_with(parse_communicators("rows:2"), 8), "");
    EXPECT_EQ(problem_with(parse_communicators("rows:3"), 8),
              "8 ranks cannot be divided into 3 rows of the same length; choose a number that divides them");
    EXPECT_EQ(problem_with(parse_communicators("columns:8"), 8),
              "columns:8 of 8 ranks have one rank each; choose a smaller number");
    for (const char* text :
         {"", "row:2", "rows", "rows:", "rows:1", "rows:2x", "rows:-2", "world:2", "columns:0"}) {
        EXPECT_NE(error_of(text).find("expected world, rows:R or columns:C"), std::string::npos) << text;
    }
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "sizes.hpp"

#include <gtest/gtest.h>

namespace {

using namespace models;

TEST(ParseSize, KnowsUnits) {
    EXPECT_EQ(parse_size("64"), 64U);
    EXPECT_EQ(parse_size("4Ki"), 4096U);
    EXPECT_EQ(parse_size("1Mi"), 1048576U);
    EXPECT_EQ(parse_size("0"), 0U);
    for (const char* text : {"", "k", "4k", "4KiB", "-1", "4 Ki", "1.5Ki", "99999999999999999999"}) {
        EXPECT_THROW(parse_size(text), std::invalid_argument) << text;
    }
    EXPECT_THROW(parse_size("2000Gi"), std::invalid_argument);
}

TEST(SizeText, IsReadAgain) {
    for (const char* text : {"0", "1", "1000", "1Ki", "24Ki", "1025", "1Mi", "3Gi"}) {
        EXPECT_EQ(size_text(parse_size(text)), text);
    }
}

TEST(ParseSizes, KnowsListsAndRanges) {
    using Sizes = std::vector<std::size_t>;
    EXPECT_EQ(parse_sizes("64,8,64"), (Sizes{8, 64}));
    EXPECT_EQ(parse_sizes("1Ki:8Ki:x2"), (Sizes{1024, 2048, 4096, 8192}));
    EXPECT_EQ(parse_sizes("8:30:+8,1Ki"), (Sizes{8, 16, 24, 1024}));
    EXPECT_EQ(parse_sizes("5:5:x2"), (Sizes{5}));
    for (const char* text : {"1:2", "8:64:8", "8:64:x1", "0:64:x2", "64:8:x2", "1:2:x2:x3", "8:64:+0", ","}) {
        EXPECT_THROW(parse_sizes(text), std::invalid_argument) << text;
    }
}

TEST(NextRefinement, GoesToTheBend) {
    // a line with a jump between 4096 and 8192
    const auto time = [](double size) { return 10 + size / 1000 + (size > 5000 ? 50 : 0); };
    std::vector<TimedSize> points;
    for (const std::size_t size : {1024, 2048, 4096, 8192, 16384}) {
        points.push_back({size, time(static_cast<double>(size))});
    }
    const std::size_t next = next_refinement(points, 8, 0.02);
    EXPECT_GT(next, 2048U);
    EXPECT_LT(next, 16384U);
    EXPECT_EQ(next % 8, 0U);
}

TEST(NextRefinement, LeavesALineAlone) {
    const std::vector<TimedSize> line = {{1024, 11}, {2048, 12}, {4096, 14}, {8192, 18}};
    EXPECT_EQ(next_refinement(line, 1, 0.02), 0U);
    EXPECT_EQ(next_refinement({{8, 1}, {16, 2}}, 1, 0.02), 0U) << "two points are always a line";
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"

namespace {

using namespace tuner::report;

TEST(ComparisonFigures, RatioWithIntervalAndSignificantSizes) {
    tuner::Comparison comparison;
    comparison.a.network = "eth";
    comparison.b.network = "ib";
    tuner::ComparedCell cell;
    cell.key = {"", {2, 2}, "bcast", ""};
    for (const std::size_t bytes : {1024U, 4096U}) {
        tuner::ComparedSize size;
        size.bytes = bytes;
        size.choices[best_choice].ratio = models::Ratio{0.5, {0.4, 0.6}};
        size.choices[best_choice].winner = bytes == 1024 ? tuner::Winner::b : tuner::Winner{};
        cell.sizes.push_back(size);
    }
    const Figure figure = draw_comparison(comparison, {&cell});
    EXPECT_EQ(figure.title, "bcast: ib / eth");
    EXPECT_TRUE(contains(figure.body, "below 1: ib is faster"));
    EXPECT_TRUE(contains(figure.body, "data-line=\"2x2\""));
    const std::size_t dots = figure.body.find("h0");
    EXPECT_NE(dots, std::string::npos);
    EXPECT_EQ(figure.body.find("h0", dots + 1), std::string::npos) << "one size differs significantly";
}

TEST(ComparisonFigures, SidesOfTwoRunsSayWhichRun) {
    EXPECT_EQ(side_label({"r1", "eth", "", ""}, {"r1", "ib", "", ""}), "eth");
    EXPECT_EQ(side_label({"r1", "eth", "", ""}, {"r2", "eth", "", ""}), "eth of r1");
}

}  // namespace

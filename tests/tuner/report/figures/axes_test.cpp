// SPDX-License-Identifier: MIT
#include "axes.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner::report;

TEST(Axes, RangeGrows) {
    Range range;
    range.include(3);
    range.include(1);
    EXPECT_DOUBLE_EQ(range.low, 1);
    EXPECT_DOUBLE_EQ(range.high, 3);
}

TEST(Axes, NamesThatFit) {
    EXPECT_EQ(fitting_name("ring", 100), "ring");
    EXPECT_EQ(fitting_name("scatter_ring_allgather", 50), "sra");
    EXPECT_EQ(fitting_name("scatter_ring_allgather", 10), "");
    EXPECT_EQ(fitting_name("binomial", 20), "") << "one word has no short form";
}

TEST(Axes, SizesFromLeftToRight) {
    Plot plot("t", 460, 290, {50, 450, 20, 250});
    draw_size_axis(plot, LogScale(1024, 4096, 50, 450), true);
    EXPECT_EQ(
        plot.drawing.str(),
        "<line x1=\"50\" y1=\"20\" x2=\"50\" y2=\"250\" class=\"grid\"/>"
        "<text x=\"50\" y=\"264\" class=\"ink\" text-anchor=\"middle\">1Ki</text>"
        "<line x1=\"250\" y1=\"20\" x2=\"250\" y2=\"250\" class=\"grid\"/>"
        "<text x=\"250\" y=\"264\" class=\"ink\" text-anchor=\"middle\">2Ki</text>"
        "<line x1=\"450\" y1=\"20\" x2=\"450\" y2=\"250\" class=\"grid\"/>"
        "<text x=\"450\" y=\"264\" class=\"ink\" text-anchor=\"middle\">4Ki</text>"
        "<text x=\"250\" y=\"278\" class=\"ink small\" text-anchor=\"middle\">message size, bytes</text>");
}

TEST(Axes, FinishedFigureHasAllParts) {
    Plot plot("title", 460, 290, {50, 450, 20, 250});
    plot.add_key(KeyEntry::Kind::box, "c0 fill", "ring");
    plot.draw_frame();
    const Figure figure = plot.finish("data-kind=\"x\"");
    EXPECT_EQ(figure.title, "title");
    EXPECT_EQ(figure.width, 460);
    EXPECT_EQ(figure.attributes, "data-kind=\"x\"");
    EXPECT_EQ(figure.body, "<path d=\"M50,20V250H450\" class=\"axis\"/>");
    ASSERT_EQ(figure.key.size(), 1U);
}

TEST(Axes, TunedChangeoversOnly) {
    const Stretch library{1, 2, "ring", false, {1, 1}};
    const Stretch other{2, 4, "binomial", false, {2, 2}};
    const Stretch rule{2, 4, "binomial", true, {2, 2}};
    EXPECT_FALSE(is_tuned_changeover(library, other));
    EXPECT_TRUE(is_tuned_changeover(library, rule));
    EXPECT_FALSE(is_tuned_changeover(rule, other)) << "the same algorithm goes on";
}

TEST(Axes, DashesTellLinesApart) {
    EXPECT_STREQ(dash_of(0), "none");
    EXPECT_STRNE(dash_of(1), dash_of(2));
    EXPECT_STREQ(dash_of(4), dash_of(0));
    EXPECT_STREQ(dash_name_of(1), " (dashed)");
}

}  // namespace

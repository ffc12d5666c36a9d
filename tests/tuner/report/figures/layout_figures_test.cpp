// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "contains.hpp"
#include "figures.hpp"
#include "map_data.hpp"
#include "palette.hpp"
#include "svg.hpp"

namespace {

using namespace tuner;
using namespace tuner::report;

Figure drawn_map(const ReportData& data) {
    return draw_layout_map(layout_maps(data).at(0));
}

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

bool has_key(const Figure& figure, const std::string& label) {
    return std::any_of(figure.key.begin(), figure.key.end(),
                       [&](const KeyEntry& entry) { return entry.label == label; });
}

// The data of the first one
std::string path_of_class(const Figure& figure, const std::string& classes) {
    const std::string start = "<path d=\"";
    const std::size_t end = figure.body.find("\" class=\"" + classes + "\"");
    const std::size_t from = figure.body.rfind(start, end) + start.size();
    return end == std::string::npos ? "" : figure.body.substr(from, end - from);
}

TEST(LayoutFigures, TooltipHasAllFactsOfARule) {
    const Figure figure = drawn_map(map_data::ranges());
    EXPECT_EQ(figure.title, "allgather on eth: which rule on which layout");
    EXPECT_TRUE(contains(figure.body,
                         "<title>rule: ring\non 2 to 8 nodes x 2 to 3, block, 1024 to 32768 bytes\n"
                         "basis: predicted: between measured layouts\nexpected gain: +50%\n"
                         "proven gain: +40% (+30% to +45%), tested on 3 layouts, 9 cells</title>"));
    EXPECT_TRUE(contains(figure.body, "on 8x3, 1024 to 16383 bytes\nbasis: measured on this layout\n"));
    EXPECT_TRUE(contains(figure.body, "from 1024 bytes on\nbasis: predicted: beyond the measured layouts\n"));
    EXPECT_TRUE(contains(figure.body, "<title>no rule: the library&#39;s own choice</title>"));
    EXPECT_EQ(occurrences(figure.body, "<title>rule: "), 3U) << "one for each rule: the page stays small";
}

TEST(LayoutFigures, ColoursFollowTheAlgorithmAndTheGain) {
    const Figure figure = drawn_map(map_data::ranges());
    EXPECT_NE(colour_class("ring"), colour_class("brucks"));
    EXPECT_EQ(occurrences(figure.body, "class=\"" + colour_class("ring") + " fill\""), 2U);
    EXPECT_EQ(occurrences(figure.body, "class=\"" + colour_class("brucks") + " fill\""), 1U);
    EXPECT_EQ(occurrences(figure.body, "class=\"hatch\""), 1U) << "only brucks is beyond";
    EXPECT_EQ(occurrences(figure.body, "class=\"" + gain_class(1.4) + "\""), 3U);
    EXPECT_TRUE(has_key(figure, "ring"));
    EXPECT_TRUE(has_key(figure, "hatched: beyond what was measured"));
    EXPECT_TRUE(has_key(figure, "gain 25 to 50%"));
    EXPECT_FALSE(has_key(figure, "gain over 2x")) << "no rule gains so much";
}

TEST(LayoutFigures, DotsAreWhereItWasMeasured) {
    const Figure figure = drawn_map(map_data::ranges());
    // 1x3 and 8x1 at each of five sizes; 8x3 at those up to 16383 bytes and, where no rule holds, at 64 KiB:
    // at 16 KiB its rule is one of the range
    const std::string dots = path_of_class(figure, "dot");
    EXPECT_EQ(occurrences(dots, "h0"), 14U) << dots;
}

TEST(LayoutFigures, FieldsOfARuleAreOneBlock) {
    ReportData data = map_data::ranges();
    data.config.rules = {map_data::rule("between", {{2, 8}, {2, 3}, {}, {}}, 1024, 1024, "ring")};
    const Figure figure = drawn_map(data);
    const std::string path = path_of_class(figure, colour_class("ring") + " fill");
    // 17 steps of nodes of 20 units, from 40 on; one size, three rows of 18
    EXPECT_EQ(path, "M60,74h140V38h-140z");
}

TEST(LayoutFigures, NotVerifiedIsPaleAndSaysSo) {
    ReportData data = map_data::ranges();
    data.config.verified = false;
    const Figure figure = drawn_map(data);
    EXPECT_TRUE(contains(figure.body, "expected gain: +50%\nproven gain: none, not verified</title>"));
    EXPECT_TRUE(contains(figure.body, ">expected gain</text>"));
    EXPECT_FALSE(contains(figure.body, ">proven gain</text>"));
    EXPECT_EQ(occurrences(figure.body, "class=\"" + gain_class(1.5) + " pale\""), 3U);
}

TEST(LayoutFigures, NamesFromOutsideAreText) {
    ReportData data = map_data::ranges();
    for (Rule& rule : data.config.rules) {
        rule.algorithm = "<b>\"&'";
        rule.network = "</svg>";
    }
    for (ReportCell& cell : data.cells) {
        cell.key.network = "</svg>";
    }
    const std::string svg = svg_for_page(drawn_map(data));
    EXPECT_FALSE(contains(svg, "<b>"));
    EXPECT_EQ(occurrences(svg, "</svg>"), 1U);
    EXPECT_TRUE(contains(svg, "rule: &lt;b&gt;"));
}

TEST(LayoutFigures, LargeClustersStaySmall) {
    ReportData data = map_data::ranges();
    data.cluster = map_data::cluster(512, 64);
    data.config.rules.clear();
    for (int i = 0; i < 60; ++i) {  // stripes: the most rules that a collective can have
        const int first = 1 + 8 * i;
        data.config.rules.push_back(map_data::rule("between", {{first, first + 7}, {1, 64}, {}, {}}, 0,
                                                   no_end, i % 2 == 0 ? "ring" : "brucks"));
    }
    const Figure figure = drawn_map(data);
    EXPECT_LT(figure.body.size(), 120000U);
    EXPECT_LT(figure.height, 1200);
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "svg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace {

using namespace tuner::report;

TEST(Escaped, NothingOfATextIsMarkup) {
    EXPECT_EQ(escaped("<script>alert(1)</script>"), "&lt;script&gt;alert(1)&lt;/script&gt;");
    EXPECT_EQ(escaped("a\"b'c&d"), "a&quot;b&#39;c&amp;d");
    EXPECT_EQ(escaped("&lt;"), "&amp;lt;");
}

TEST(Escaped, ControlCharactersThatXmlForbidsAreReplaced) {
    EXPECT_EQ(escaped(std::string("a\0b\x1b", 4)), "a\uFFFDb\uFFFD");
    EXPECT_EQ(escaped("a\tb\nc\u00e4"), "a\tb\nc\u00e4");
}

TEST(SafeInScript, CannotEndTheElement) {
    const std::string safe = safe_in_script(R"({"a":"</script><!--<script>"})");
    EXPECT_EQ(safe.find('<'), std::string::npos);
    EXPECT_EQ(safe, R"({"a":"\u003c/script>\u003c!--\u003cscript>"})");
}

TEST(Slug, HasNothingThatAnIdOrAFileNameCouldNotHave) {
    EXPECT_EQ(slug("fast ethernet/<b>-2"), "fast_ethernet__b_-2");
}

TEST(LogScale, EndsAndMiddle) {
    const LogScale x(8, 2048, 100, 500);
    EXPECT_DOUBLE_EQ(x(8), 100);
    EXPECT_DOUBLE_EQ(x(2048), 500);
    EXPECT_NEAR(x(128), 300, 1e-9);  // the geometric mean
    EXPECT_EQ(x.attribute(), "100 500 3 11");
}

TEST(LogScale, AxisThatGoesUp) {
    const LogScale y(1e-6, 1e-2, 200, 0);
    EXPECT_NEAR(y(1e-4), 100, 1e-9);
}

TEST(LogScale, OneValueIsInTheMiddle) {
    const LogScale x(64, 64, 0, 100);
    EXPECT_NEAR(x(64), 50, 1e-9);
    EXPECT_GT(x.high(), x.low());
}

TEST(ByteTicks, PowersOfTwoInsideOfTheRange) {
    EXPECT_EQ(byte_ticks(8, 64, 8), (std::vector<double>{8, 16, 32, 64}));
    EXPECT_EQ(byte_ticks(7, 70, 8), (std::vector<double>{8, 16, 32, 64}));
    EXPECT_EQ(byte_ticks(8, 8192, 6), (std::vector<double>{8, 32, 128, 512, 2048, 8192}));
    EXPECT_TRUE(byte_ticks(9, 15, 8).empty());
}

TEST(ByteTicks, NeverMoreThanAsked) {
    for (std::size_t most = 1; most < 12; ++most) {
        EXPECT_LE(byte_ticks(1, 0x1p30, most).size(), most);
        EXPECT_FALSE(byte_ticks(1, 0x1p30, most).empty());
    }
}

TEST(TimeTicks, AtLeastThreeWhateverTheRange) {
    const std::vector<double> decades = time_ticks(1e-5, 1e-2);
    ASSERT_EQ(decades.size(), 4U);
    EXPECT_DOUBLE_EQ(decades[0], 1e-5);
    EXPECT_DOUBLE_EQ(decades[3], 1e-2);
    const std::vector<double> between = time_ticks(1.5e-4, 1.5e-3);
    ASSERT_EQ(between.size(), 3U);
    EXPECT_DOUBLE_EQ(between[0], 2e-4);
    EXPECT_DOUBLE_EQ(between[1], 5e-4);
    EXPECT_DOUBLE_EQ(between[2], 1e-3);
    const std::vector<double> even = time_ticks(3.51e-3, 4.05e-3);
    ASSERT_EQ(even.size(), 5U);
    EXPECT_DOUBLE_EQ(even[0], 3.6e-3);
    EXPECT_DOUBLE_EQ(even[4], 4.0e-3);
}

TEST(Labels, SizesAndPercents) {
    EXPECT_EQ(size_label(303), "303");
    EXPECT_EQ(size_label(4096), "4Ki");
    EXPECT_EQ(size_label(1382), "1.35Ki");
    EXPECT_EQ(size_label(1.5 * 1048576), "1.5Mi");
    EXPECT_EQ(percent_label(1.234), "+23%");
    EXPECT_EQ(percent_label(0.9), "-10%");
    EXPECT_EQ(percent_label(0.999), "+0%");
    EXPECT_EQ(percent_label(30.4 / 0.9), "33.8x");
}

TEST(Number, OneDigitAtMost) {
    EXPECT_EQ(number(12), "12");
    EXPECT_EQ(number(12.345), "12.3");
    EXPECT_EQ(number(-0.01), "0");
}

TEST(Polyline, RelativeStepsDoNotDrift) {
    EXPECT_EQ(polyline({{10, 20}, {26.5, 16.8}, {43, 16.8}}), "M10,20l16.5,-3.2 16.5,0");
    std::vector<Point> points;
    for (int i = 0; i <= 1000; ++i) {
        points.push_back({0.04 * i, 0});
    }
    const std::string path = polyline(points);
    double x = 0;
    std::istringstream steps(path.substr(path.find('l') + 1));
    for (std::string step; steps >> step;) {
        x += std::stod(step);
    }
    EXPECT_NEAR(x, 40, 1e-9);
    EXPECT_EQ(polyline({}), "");
}

TEST(Drawing, TextIsEscapedAndGroupsClose) {
    Drawing drawing;
    drawing.open("class=\"a\"");
    drawing.text({1, 2.25}, "class=\"ink\"", "<b>");
    drawing.close();
    EXPECT_EQ(drawing.str(), "<g class=\"a\"><text x=\"1\" y=\"2.2\" class=\"ink\">&lt;b&gt;</text></g>");
}

TEST(Drawing, TooltipsAreEscapedAndKeepTheirLines) {
    Drawing drawing;
    drawing.open("");
    drawing.title("a<b\nc");
    EXPECT_EQ(drawing.str(), "<g ><title>a&lt;b\nc</title>");
}

}  // namespace

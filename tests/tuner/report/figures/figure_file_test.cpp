// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(FigureFile, FileIsCompleteByItself) {
    const ReportRun run;
    run.decide(true);
    const ReportData data = gather(run.folder());
    const std::vector<NamedFigure> figures = figures_of(data);
    ASSERT_GE(figures.size(), 4U) << "changeovers, gains, curves, model";
    for (const NamedFigure& named : figures) {
        const std::string svg = svg_file(named.draw());
        EXPECT_TRUE(svg.starts_with("<?xml")) << named.name;
        EXPECT_TRUE(contains(svg, "<style>")) << named.name;
        EXPECT_TRUE(contains(svg, "<title>")) << named.name;
        EXPECT_FALSE(contains(svg, "nan")) << named.name;
        EXPECT_FALSE(contains(svg, "inf")) << named.name;
    }
}

TEST(FigureFile, KeyIsWrittenBelowTheFigure) {
    Figure figure;
    figure.title = "a & b";
    figure.width = 100;
    figure.height = 50;
    figure.key = {{KeyEntry::Kind::box, "c0 fill", "first"}, {KeyEntry::Kind::line, "c1", "a second one"}};
    const std::string file = svg_file(figure);
    EXPECT_TRUE(contains(file, "<title>a &amp; b</title>"));
    EXPECT_LT(file.find(">first<"), file.find(">a second one<"));
    EXPECT_TRUE(contains(file, "height=\"131\"")) << "title, figure, two rows of the key, margin: " << file;
    EXPECT_FALSE(contains(svg_for_page(figure), ">first<")) << "the page has the key outside of the figure";
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <gtest/gtest.h>

#include "report_run.hpp"

namespace {

using namespace tuner::report;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(CurveFigures, LinesOfAllAlgorithms) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    const auto figures = figures_of(data);
    const auto curves = std::find_if(figures.begin(), figures.end(),
                                     [](const NamedFigure& f) { return f.kind == FigureKind::curves; });
    ASSERT_NE(curves, figures.end());
    const Figure figure = curves->draw();
    for (const char* algorithm : {"default", "binomial", "scatter_ring_allgather"}) {
        EXPECT_TRUE(contains(figure.body, std::string("data-line=\"") + algorithm + "\""));
    }
    EXPECT_LT(figure.body.find("data-line=\"binomial\""), figure.body.find("data-line=\"default\""))
        << "the default is drawn last, on top";
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "report_run.hpp"

namespace {

using namespace tuner::report;

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

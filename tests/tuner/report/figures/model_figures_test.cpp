// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(ModelFigures, OneGroupOfDotsForEachAlgorithm) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    const Figure figure = draw_model_fit(data.models.at(0));
    EXPECT_EQ(figure.title, "eth: predicted against measured");
    for (const char* algorithm : {"binomial", "scatter_ring_allgather"}) {
        EXPECT_TRUE(contains(figure.body, std::string("data-line=\"") + algorithm + "\"")) << algorithm;
    }
    EXPECT_FALSE(contains(figure.body, "data-line=\"default\"")) << "it is no algorithm of its own";
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(GainFigures, MapNamesTheAlgorithmOfARule) {
    const ReportRun run;
    run.decide(true);
    const ReportData data = gather(run.folder());
    const Figure figure = draw_gains(data, {&data.cells.at(0)});
    EXPECT_EQ(figure.title, "bcast on eth: gain of tuned over default");
    EXPECT_TRUE(contains(figure.body, ">scatter_ring_allgather<") || contains(figure.body, ">sra<"));
    EXPECT_TRUE(contains(figure.body, "<g data-cell=\"0\">"));
    EXPECT_EQ(figure.key.back().label, "scatter_ring_allgather");
}

TEST(GainFigures, ChangeoversShowTunedAndDefault) {
    const ReportRun run;
    run.decide(true);
    const ReportData data = gather(run.folder());
    const Figure figure = draw_changeovers({&data.cells.at(0)});
    EXPECT_TRUE(contains(figure.body, ">by default<"));
    EXPECT_TRUE(contains(figure.body, "pale")) << "what is left to the library";
    ASSERT_EQ(figure.key.size(), 3U) << "two algorithms, and what pale means";
}

}  // namespace

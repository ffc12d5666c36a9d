// SPDX-License-Identifier: MIT
#include "html.hpp"

#include <gtest/gtest.h>

#include "written_section.hpp"

namespace {

using namespace tuner::report;

TEST(PageCurves, MapsOfGainsWithoutRulesAreFoldedAway) {
    const ReportRun run;
    EXPECT_TRUE(contains(written(gains, run), "<summary>No change: bcast on eth</summary>"));
    run.decide(true);
    EXPECT_FALSE(contains(written(gains, run), "No change"));
}

TEST(PageCurves, AButtonForEachAlgorithm) {
    const ReportRun run;
    const std::string page = written(curves, run);
    for (const char* algorithm : {"default", "binomial", "scatter_ring_allgather"}) {
        EXPECT_TRUE(contains(page, std::string("data-toggle=\"") + algorithm + "\"")) << algorithm;
    }
    EXPECT_TRUE(contains(page, "Curves of bcast"));
}

}  // namespace

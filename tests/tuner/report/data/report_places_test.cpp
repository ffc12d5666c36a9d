// SPDX-License-Identifier: MIT
#include "report_data.hpp"

#include <gtest/gtest.h>

#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(ReportPlaces, OneForEachNetworkAndLayout) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    ASSERT_EQ(data.places.size(), 2U);
    EXPECT_EQ(data.places[0].network, "eth");
    EXPECT_EQ(data.places[0].samples, 9 * ReportRun::samples);
    EXPECT_EQ(data.places[0].jobs, 0U) << "no job said anything";
    EXPECT_NE(data.places[0].command_line.find("--serve"), std::string::npos);
    EXPECT_EQ(data.places[1].network, "<i>");
    EXPECT_EQ(data.places[1].samples, 0U);
}

}  // namespace

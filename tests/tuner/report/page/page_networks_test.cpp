// SPDX-License-Identifier: MIT
#include "html.hpp"

#include <gtest/gtest.h>

#include "written_section.hpp"

namespace {

using namespace tuner::report;

TEST(PageNetworks, OneNetworkIsComparedWithAnotherRun) {
    const ReportRun run({"eth"});
    EXPECT_TRUE(
        contains(written(networks, run), "changeover report --run " + run.folder() + " --against OTHER_RUN"));
}

TEST(PageNetworks, OneSizeIsNoRange) {
    const ReportRun run({"eth", "fast"});
    run.add_network("fast", 0.25);
    EXPECT_TRUE(contains(written(networks, run), "from 1Ki to 16Ki bytes, "));
    const ReportRun one({"eth", "fast"});
    one.add_network("fast", 0.25, 1024);
    EXPECT_TRUE(contains(written(networks, one), "fast at 1Ki bytes, 4.00 times faster"));
}

TEST(PageNetworks, SaysWhyNetworksAreNotCompared) {
    const ReportRun run;
    EXPECT_TRUE(contains(written(networks, run), "Not compared: "));
}

}  // namespace

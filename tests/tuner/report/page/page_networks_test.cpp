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

TEST(PageNetworks, SaysWhyNetworksAreNotCompared) {
    const ReportRun run;
    EXPECT_TRUE(contains(written(networks, run), "Not compared: "));
}

}  // namespace

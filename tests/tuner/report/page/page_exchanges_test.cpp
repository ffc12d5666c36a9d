// SPDX-License-Identifier: MIT
#include "html.hpp"

#include <gtest/gtest.h>

#include "written_section.hpp"

namespace {

using namespace tuner::report;

TEST(PageExchanges, SaysHowToMeasureThem) {
    const ReportRun run;
    EXPECT_TRUE(contains(written(exchanges, run), "changeover tune --plan network --run network-run</code>"));
}

}  // namespace

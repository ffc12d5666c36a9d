// SPDX-License-Identifier: MIT
#include "html.hpp"

#include <gtest/gtest.h>

#include "written_section.hpp"

namespace {

using namespace tuner::report;

TEST(PageFacts, WhereHowAndHowPrecise) {
    const ReportRun run;
    const std::string page = written(how_measured, run);
    EXPECT_TRUE(contains(page, "<td>run directory</td>"));
    EXPECT_TRUE(contains(page, "# eth 2x2\n")) << "command lines";
    EXPECT_TRUE(contains(page, "Less precise than the plan requires"));
    EXPECT_TRUE(contains(page, "3 of 9"));
}

}  // namespace

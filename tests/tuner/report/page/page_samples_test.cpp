// SPDX-License-Identifier: MIT
#include "html.hpp"

#include <gtest/gtest.h>

#include "written_section.hpp"

namespace {

using namespace tuner::report;

TEST(PageSamples, FiguresOrWhyThereAreNone) {
    const ReportRun run;
    EXPECT_TRUE(contains(written(distributions, run), "No case has enough repetitions."));
    run.add_case(65536, "binomial", {1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 7e-3});
    EXPECT_TRUE(contains(written(distributions, run), "<figure id=\"distribution-1\">"));
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "html.hpp"

#include <gtest/gtest.h>

#include "written_section.hpp"

namespace {

using namespace tuner::report;

TEST(PageModel, ParametersOrWhyThereAreNone) {
    const ReportRun run;
    const std::string page = written(model_section, run);
    EXPECT_TRUE(contains(page, "<h3>eth</h3><p>Typical error"));
    EXPECT_TRUE(contains(page, "<h3>&lt;i&gt;</h3><p>No model: "));
}

}  // namespace

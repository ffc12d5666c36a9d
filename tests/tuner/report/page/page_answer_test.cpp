// SPDX-License-Identifier: MIT
#include "html.hpp"

#include <gtest/gtest.h>

#include "written_section.hpp"

namespace {

using namespace tuner::report;

TEST(PageAnswer, HeadlineThenHowToUseTheRules) {
    const ReportRun run;
    run.decide(true);
    const std::string page = written(answer, run);
    EXPECT_TRUE(contains(page, "<b>+44%</b>"));
    EXPECT_LT(page.find("+44%"), page.find("How to use the rules"));
    EXPECT_TRUE(contains(page, "changeover emit --run " + run.folder() + " --format env --layout 2x2"));
}

TEST(PageAnswer, UnverifiedGainsAreSaidToBeSo) {
    const ReportRun run;
    run.decide(false);
    const std::string page = written(answer, run);
    EXPECT_TRUE(contains(page, "NOT VERIFIED"));
    EXPECT_TRUE(contains(page, "changeover verify --run " + run.folder()));
}

TEST(PageAnswer, WhatKeepsTheDefaultHasAReason) {
    const ReportRun run;
    EXPECT_TRUE(contains(written(answer, run), "is faster; no rule has been decided yet"));
}

}  // namespace

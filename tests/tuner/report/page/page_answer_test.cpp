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

TEST(PageAnswer, SaysForHowManySizesTheGainHolds) {
    const ReportRun run;
    run.decide(true);
    EXPECT_TRUE(contains(written(answer, run),
                         "faster where a rule applies, at 1 of 3 measured sizes: geometric mean of 2 sizes"));
    run.decide(false);
    EXPECT_TRUE(contains(written(answer, run), "at 1 of 3 measured sizes, NOT VERIFIED"));
}

TEST(PageAnswer, ExplainsALayout) {
    const ReportRun run;
    EXPECT_TRUE(contains(written(answer, run), "2x2 means 2 nodes with 2 ranks on each: 4 in all."));
}

TEST(PageAnswer, NamesTheBetterNetwork) {
    const ReportRun run({"eth", "fast"});
    EXPECT_FALSE(contains(written(answer, run), "is faster than")) << "nothing was measured on the other";
    run.add_network("fast", 0.25);
    const std::string page = written(answer, run);
    const std::string verdict =
        "fast is faster than eth, by a factor of 4.00 (geometric mean of 3 sizes of collectives with the "
        "library&#39;s default): significantly at 3, eth at 0.";
    EXPECT_TRUE(contains(page, verdict)) << page.substr(0, 3000);
    EXPECT_LT(page.find(verdict), page.find("Known less well"));
}

TEST(PageAnswer, ListsWhatIsKnownLessWellAtTheTop) {
    const ReportRun run;
    run.decide(true);
    const std::string page = written(answer, run);
    EXPECT_TRUE(contains(page, "Known less well"));
    EXPECT_TRUE(
        contains(page,
                 "3 of 9 times are less precise than the plan requires; the worst: bcast on eth 2x2, within "
                 "10%; raise case_seconds"));
    EXPECT_LT(page.find("Known less well"), page.find("How to use the rules"));
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

// SPDX-License-Identifier: MIT
#include "markdown.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(Markdown, ShortAndSafe) {
    const ReportRun run;
    run.decide(true);
    const std::string text = markdown_summary(gather(run.folder()));
    EXPECT_TRUE(contains(text, "**+44%**"));
    EXPECT_TRUE(contains(text, "| eth | 2x2 | bcast | 2000 to 10000 | scatter\\_ring\\_allgather |"));
    EXPECT_TRUE(contains(text, "\\<i\\>"));
    EXPECT_LT(text.size(), 4000U);
    EXPECT_EQ(markdown_text("a|b\nc"), "a\\|b c");
}

TEST(Markdown, SaysWhatIsNotDone) {
    const ReportRun run;
    EXPECT_TRUE(contains(markdown_summary(gather(run.folder())), "No rules have been decided yet."));
    EXPECT_TRUE(
        contains(markdown_summary(gather(run.folder())), "changeover decide --run " + run.folder() + "`\n"));
    run.decide(false);
    EXPECT_TRUE(
        contains(markdown_summary(gather(run.folder())), "**+50%** where a rule applies, not verified."));
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "markdown.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "map_data.hpp"
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

TEST(Markdown, LayoutsWithEqualRulesShareAColumn) {
    const std::string text = markdown_summary(map_data::ranges());
    EXPECT_TRUE(contains(text,
                         "allgather on eth, 8Ki bytes:\n\n"
                         "| ppn \\ nodes | 1 | 2-7 | 8 | 9-18 | 19-20 |\n"
                         "|--:|---|---|---|---|---|\n"
                         "| 1 | - | - | - | *brucks* | - |\n"
                         "| 2 | - | ring | ring | *brucks* | - |\n"
                         "| 3 | - | ring | **ring** | *brucks* | - |\n"))
        << text;
}

TEST(Markdown, NoMapOfOneLayout) {
    const ReportRun run;
    run.decide(true);
    EXPECT_FALSE(contains(markdown_summary(gather(run.folder())), "Which algorithm on which layout"));
}

}  // namespace

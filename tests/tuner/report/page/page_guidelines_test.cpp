// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "../audit/made_up_audit.hpp"
#include "audit_file.hpp"
#include "html.hpp"
#include "written_section.hpp"

namespace {

using namespace tuner::report;

TEST(PageGuidelines, SaysHowToCheckThem) {
    const ReportRun run;
    EXPECT_TRUE(contains(written(guidelines, run), "changeover audit --run"));
}

TEST(PageGuidelines, HasViolationsAndAMapBySize) {
    const ReportRun run;
    write_audit(tuner::RunFiles(run.folder()), made_up_audit());
    const std::string html = written(guidelines, run);
    EXPECT_TRUE(contains(html, "default: 2 of 4 comparisons violate a guideline"));
    EXPECT_TRUE(contains(html, "allreduce \u2264 reduce, bcast"));
    EXPECT_TRUE(contains(html, "<td class=\"n violated\">2.00</td>"));
    EXPECT_TRUE(contains(html, "All comparisons by size: eth 2x2, with the rules (2)"));
    EXPECT_TRUE(contains(html, "scan 8, mockup:in_place: crashed"));
}

TEST(PageGuidelines, TheDownloadHasAllComparisons) {
    const ReportRun run;
    write_audit(tuner::RunFiles(run.folder()), made_up_audit());
    EXPECT_EQ(find_table(tables_of(gather(run.folder())), "guidelines").rows(), 8U);
}

}  // namespace

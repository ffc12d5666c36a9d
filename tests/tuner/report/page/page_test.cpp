// SPDX-License-Identifier: MIT
#include "page.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(Page, LoadsNothingAndEscapesEverything) {
    const ReportRun run;
    run.decide(true);
    const std::string page = html_page(gather(run.folder()));
    EXPECT_TRUE(contains(page, "Content-Security-Policy"));
    EXPECT_TRUE(contains(page, "default-src 'none'"));
    EXPECT_FALSE(contains(page, "http://")) << "nothing to load";
    EXPECT_FALSE(contains(page, "https://"));
    EXPECT_FALSE(contains(page, "<i>")) << "the name of a network";
    EXPECT_TRUE(contains(page, "&lt;i&gt;"));
}

TEST(Page, AnotherNonceEachTime) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    EXPECT_NE(html_page(data), html_page(data));
}

TEST(Page, OtherSectionsComeBeforeTheLast) {
    const ReportRun run;
    const std::string page =
        html_page(gather(run.folder()), {{"mine", "my title", "<section id=\"mine\"></section>"}});
    EXPECT_TRUE(contains(page, "<a href=\"#mine\">my title</a>"));
    EXPECT_LT(page.find("<section id=\"mine\">"), page.find("<section id=\"how\">"));
    EXPECT_LT(page.find("<section id=\"model\">"), page.find("<section id=\"mine\">"));
}

}  // namespace

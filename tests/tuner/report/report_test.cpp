// SPDX-License-Identifier: MIT
// What a browser makes of the page: tests/browser.
#include "report.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "error.hpp"
#include "files.hpp"
#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(WriteReport, DefaultFileAndUsageErrors) {
    const ReportRun run;
    ReportOptions options;
    options.folder = run.folder();
    write_report(options);
    EXPECT_TRUE(tuner::read_file(run.folder() + "/report.html").starts_with("<!DOCTYPE html>"));
    options.format = "pdf";
    EXPECT_THROW(write_report(options), tuner::Error);
    options.format = "svg";
    options.figure = "no such figure";
    try {
        write_report(options);
        FAIL() << "an unknown figure";
    } catch (const tuner::Error& error) {
        EXPECT_TRUE(contains(error.what(), "changeovers-bcast")) << "it lists those that there are";
    }
}

TEST(WriteReport, FormatsAreListed) {
    EXPECT_EQ(report_formats(), (std::vector<std::string>{"html", "svg", "png", "md"}));
}

}  // namespace

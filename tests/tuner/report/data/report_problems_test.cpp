// SPDX-License-Identifier: MIT
#include "report_data.hpp"

#include <gtest/gtest.h>

#include "report_run.hpp"

namespace {

using namespace tuner::report;

bool has_problem(const ReportData& data, const std::string& text) {
    return std::any_of(data.problems.begin(), data.problems.end(), [&](const Problem& problem) {
        return (problem.what + problem.remedy).find(text) != std::string::npos;
    });
}

TEST(ReportProblems, SaysWhatIsMissing) {
    const ReportRun run;
    const ReportData undecided = gather(run.folder());
    EXPECT_FALSE(undecided.has_config);
    EXPECT_TRUE(has_problem(undecided, "changeover decide"));
    EXPECT_TRUE(has_problem(undecided, "Nothing was measured on <i> 2x2"));
    run.decide(false);
    EXPECT_TRUE(has_problem(gather(run.folder()), "changeover verify"));
    run.decide(true);
    EXPECT_FALSE(has_problem(gather(run.folder()), "changeover verify"));
}

TEST(ReportProblems, DoubtfulCasesNameTheSetting) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    ASSERT_EQ(data.doubtful.size(), 1U);
    EXPECT_EQ(data.doubtful[0].cases, 3U);
    EXPECT_EQ(data.doubtful[0].of, 9U);
    EXPECT_DOUBLE_EQ(data.doubtful[0].worst_precision, 0.1);
    EXPECT_NE(data.doubtful[0].setting.find("case_seconds"), std::string::npos);
}

TEST(ReportProblems, WhatIsKnownLessWellIsInWords) {
    const ReportRun run;
    run.decide(true);
    ReportData data = gather(run.folder());
    data.doubtful.clear();
    data.coarse = {"coarse", "other"};
    EXPECT_EQ(known_less_well(data),
              std::vector<std::string>{
                  "2 changeover points are less precise than the plan requires; raise --budget"});
    data.config.rules.push_back(data.config.rules.front());
    data.config.rules.back().basis = "model";
    EXPECT_EQ(known_less_well(data).front(),
              "1 of 2 rules are for sizes beyond the measured ones, by the cost model");
    data.config.rules.back().basis = "beyond";
    EXPECT_EQ(known_less_well(data).front(),
              "1 of 2 rules are for layouts that were not measured, and were tested at none");
    data.config.rules.back().tested_layouts = 2;
    EXPECT_EQ(known_less_well(data).size(), 1U);
}

TEST(ReportProblems, RemediesAreWholeCommands) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    const auto decide = std::find_if(data.problems.begin(), data.problems.end(), [](const Problem& problem) {
        return problem.remedy.find(" decide ") != std::string::npos;
    });
    ASSERT_NE(decide, data.problems.end());
    EXPECT_TRUE(decide->remedy.ends_with("changeover decide --run " + run.folder())) << decide->remedy;
}

}  // namespace

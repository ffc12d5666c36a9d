// SPDX-License-Identifier: MIT
#include "estimate_text.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"

namespace {

using namespace tuner;
using namespace tuner::commands;

// A search of 60 s, half of it for the grids, after messages of 10 s; a verification of 30 s
Estimate example(double budget, double measuring_budget) {
    Estimate e;
    e.measuring = {{"messages of two ranks", 1, 74, 10}, {"search on 4x2", 1, 200, 60, 30}};
    e.verification = {"verification", 40, 400, 30, 0, 10};
    e.launch_seconds = 0.5;
    e.budget_seconds = budget;
    e.measuring_budget_seconds = measuring_budget;
    return e;
}

TEST(EstimateText, ATableHasAllStagesAndTheBasis) {
    const std::string text = estimate_table(example(0, 0), {});
    EXPECT_CONTAINS(text, "search on 4x2                      1    200   60 s\n");
    EXPECT_CONTAINS(text, "verification of about 10 rules    40    400   30 s\n");
    EXPECT_CONTAINS(text, "all                               42    674  1m40s\n");
    EXPECT_CONTAINS(
        text,
        "Basis: 80 ms for each case, as races usually take; calls as on a network with 50 us and 1 "
        "GB/s (assumed); "
        "500 ms to start a job (assumed)\n");
    EXPECT_EQ(text.find("limit"), std::string::npos);
}

TEST(EstimateText, TheBasisIsWhatWasMeasured) {
    Estimate e = example(0, 0);
    e.is_launch_measured = true;
    e.calls = CallBasis::messages;
    EXPECT_CONTAINS(basis_text(e, {}),
                    "by the messages of two ranks that were measured; 500 ms to start a job (measured)");
    e.calls = CallBasis::cases;
    EXPECT_CONTAINS(basis_text(e, {}), "by what was measured in this run");
}

TEST(EstimateText, ALimitThatIsLongEnoughLeavesNothingOut) {
    EXPECT_EQ(left_out(example(1000, 650), {}), "");
    EXPECT_CONTAINS(estimate_table(example(1000, 650), {}),
                    "With the time limit of 16m40s: about 1m40s; nothing is left out\n");
    EXPECT_EQ(left_out(example(0, 0), {}), "") << "there is no limit";
}

TEST(EstimateText, ALimitLeavesOutWhatComesLast) {
    EXPECT_EQ(left_out(example(84, 55), {}),
              "50% of the sizes between those of the grids, so that some changeover points are known only "
              "within a factor of 8; the verification of 3% of the rules, those with the smallest expected "
              "gains");
    EXPECT_EQ(left_out(example(200, 25), {}), "50% of the sizes of the grids, all sizes between them");
    Estimate e = example(200, 130);
    e.measuring.push_back({"search on up to 4 more layouts", 4, 800, 200, 100});
    e.more_layouts = 4;
    EXPECT_EQ(left_out(e, {}), "3 of up to 4 more layouts");
    e.measuring_budget_seconds = 60;
    EXPECT_CONTAINS(left_out(e, {}), "a factor of 8, all further layouts");
}

TEST(EstimateText, ASummaryIsShort) {
    EXPECT_EQ(estimate_summary("Estimated time", example(0, 0), {}).find('\n'), std::string::npos);
    const std::string text = estimate_summary("Estimated time", example(50, 32.5), {});
    EXPECT_EQ(text.find("Estimated time: 50 s, 1m40s without the time limit (80 ms for each case"), 0u)
        << text;
    EXPECT_CONTAINS(text, "\nThe time limit leaves out about 25% of the sizes of the grids");
    EXPECT_NE(text.back(), '\n');
}

TEST(EstimateText, OfAVerification) {
    const StageEstimate stage = example(0, 0).verification;
    EXPECT_EQ(verification_summary(stage, {}), "Estimated time of the verification of 10 rules: 30 s");
    EXPECT_EQ(verification_summary(stage, 40), "Estimated time of the verification of 10 rules: 30 s");
    EXPECT_EQ(verification_summary(stage, 15),
              "Estimated time of the verification of 10 rules: 15 s; the time limit leaves out about 50% of "
              "the rules");
}

}  // namespace

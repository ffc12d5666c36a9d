// SPDX-License-Identifier: MIT
#include "arrival_flips.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

CaseRecord measured_case(std::uint64_t group, const std::string& algorithm,
                         std::map<std::string, double> by_arrival) {
    CaseRecord record;
    record.group = group;
    record.network = "eth";
    record.collective = "bcast";
    record.bytes = 1024 * group;
    record.algorithm = record.used = algorithm;
    record.by_arrival = std::move(by_arrival);
    for (const auto& [arrival, seconds] : record.by_arrival) {
        record.samples_seconds.push_back(seconds);
    }
    return record;
}

TEST(ArrivalFlips, NameThePatternTheBestThereAndHowMuchItIsFaster) {
    RunData run;
    run.cases = {measured_case(1, "binomial", {{"half:1", 2}, {"one-late:1", 1}, {"together", 9}}),
                 measured_case(1, "ring", {{"half:1", 2.05}, {"one-late:1", 3}, {"together", 4}}),
                 measured_case(2, "binomial", {{"half:1", 1}, {"one-late:1", 1}, {"together", 1}}),
                 measured_case(2, "ring", {{"half:1", 2}, {"one-late:1", 0.96}, {"together", 2}})};
    const ArrivalFlips flips = arrival_flips(run);
    EXPECT_EQ(flips.choices, 2U);
    EXPECT_EQ(flips.flipped_choices(), 1U) << "4% at the second size are none";
    ASSERT_EQ(flips.flips.size(), 1U);
    EXPECT_EQ(flips.flips[0].arrival, "together");
    EXPECT_EQ(flips.flips[0].algorithm, "binomial") << "the median of its times is 2, that of ring 3";
    EXPECT_EQ(flips.flips[0].best, "ring");
    EXPECT_EQ(flips.flips[0].bytes, 1024U);
    EXPECT_DOUBLE_EQ(flips.flips[0].ratio, 9.0 / 4);
    EXPECT_NE(to_text(flips).find("at 1 of 2 measured sizes (50%)"), std::string::npos);
    EXPECT_NE(to_text(flips).find("together         1\n"), std::string::npos);
}

TEST(ArrivalFlips, TheDefaultIsTheAlgorithmThatItRuns) {
    RunData run;
    run.cases = {measured_case(1, "default", {{"half:1", 1}, {"together", 1.1}}),
                 measured_case(1, "ring", {{"half:1", 0.9}, {"together", 1.3}})};
    EXPECT_EQ(arrival_flips(run).flips.size(), 1U);
    run.cases[0].used = "ring";
    EXPECT_TRUE(arrival_flips(run).flips.empty());
}

TEST(ArrivalFlips, WithoutPatternsThatTakeTurnsThereIsNothingToSay) {
    RunData run;
    run.cases = {measured_case(1, "default", {})};
    run.cases[0].samples_seconds = {1};
    EXPECT_EQ(arrival_flips(run).choices, 0U);
    EXPECT_EQ(to_text(arrival_flips(run)), "");
}

}  // namespace

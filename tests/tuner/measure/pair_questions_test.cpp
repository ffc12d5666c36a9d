// SPDX-License-Identifier: MIT
#include "pair_questions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "runner.hpp"

namespace {

using namespace tuner;

PairRequest pairs_of_bytes(std::size_t bytes, int calls_in_a_row = 1, int job = 0) {
    PairRequest request = {{"eth", {4, 2}, "bcast", ""}, bytes, {"default", "ring"}, job};
    request.calls_in_a_row = calls_in_a_row;
    return request;
}

// One size was measured
Cell cell_with(std::size_t bytes, double seconds) {
    Cell cell;
    cell.times[bytes]["ring"].time = {bytes, seconds, {seconds, seconds}};
    return cell;
}

Group asked(const PairRequest& request, const Cell& cell, bool is_fresh_job = true) {
    Plan plan;
    plan.verify_repetitions = 70;
    return group_of(request, Stage::verify, {"bcast", "", "", 8, 1 << 20}, plan, cell, is_fresh_job);
}

TEST(PairQuestions, ThreeJobsShareThePairsOfAPlan) {
    const Group group = asked(pairs_of_bytes(1024), cell_with(1024, 1e-4));
    EXPECT_EQ(group.limits.max_repetitions, 24) << "a third, and even";
    EXPECT_EQ(group.limits.min_repetitions, 24) << "none of them stops early";
    EXPECT_TRUE(group.as_pairs);
}

TEST(PairQuestions, AreFewerWhereACallTakesLong) {
    EXPECT_EQ(asked(pairs_of_bytes(1024), cell_with(1024, 1.0)).limits.max_repetitions, 4) << "12 in three";
    EXPECT_EQ(asked(pairs_of_bytes(1 << 20), cell_with(1024, 1e-3)).limits.max_repetitions, 4)
        << "by the nearest smaller size";
    EXPECT_EQ(asked(pairs_of_bytes(64), cell_with(1024, 1.0)).limits.max_repetitions, 24) << "not known";
}

// Spread of a pair 20%: four standard errors of so many pairs are the gain beyond 2%
TEST(PairQuestions, AreAsManyAsTheGainNeeds) {
    const auto with_gain = [](double gain) {
        Cell cell = cell_with(1024, 1e-4);
        CellTime& time = cell.times[1024]["ring"];
        time.samples = 16;
        const double reach = std::exp(2.58 * 0.2 / 4);
        time.gain = models::Ratio{gain, {gain / reach, gain * reach}};
        return asked(pairs_of_bytes(2048), cell).limits.max_repetitions;
    };
    EXPECT_EQ(with_gain(2), 4) << "12 in three jobs, at least";
    EXPECT_EQ(with_gain(1.2), 10) << "25 in three jobs, each even";
    EXPECT_EQ(with_gain(1.05), 24) << "the plan's, at most";
    EXPECT_EQ(with_gain(0.9), 24) << "no gain was found there";
}

TEST(PairQuestions, OfCallsInARowAreTwo) {
    EXPECT_EQ(asked(pairs_of_bytes(1024, 10), cell_with(1024, 1e-4)).limits.max_repetitions, 2);
}

TEST(PairQuestions, TheFirstOfAJobWarmsItUp) {
    const Cell cell = cell_with(1024, 1e-4);
    EXPECT_EQ(asked(pairs_of_bytes(1024), cell, true).exchange.warm_up, 0) << "as the benchmark does";
    EXPECT_EQ(asked(pairs_of_bytes(1024), cell, false).exchange.warm_up, 2);
    EXPECT_EQ(asked(pairs_of_bytes(1024, 10), cell, false).exchange.warm_up, 1);
}

TEST(PairQuestions, TheFirstOfARuleWarmsUpASharedJob) {
    PairRequest request = pairs_of_bytes(1024);
    request.is_first = true;
    EXPECT_EQ(asked(request, cell_with(1024, 1e-4), false).exchange.warm_up, 0);
}

TEST(PairQuestions, ShareAJobIfTheyMay) {
    const PairRequest before = pairs_of_bytes(1024);
    EXPECT_TRUE(can_share_job(before, pairs_of_bytes(2048)));
    EXPECT_FALSE(can_share_job(before, pairs_of_bytes(512))) << "sizes ascend: this is another rule";
    EXPECT_FALSE(can_share_job(before, pairs_of_bytes(2048, 1, 1))) << "another job";
    PairRequest other = before;
    other.algorithms[1] = "binomial";
    EXPECT_FALSE(can_share_job(before, other));
    other.shares_job = true;
    EXPECT_FALSE(can_share_job(before, other)) << "one of them must be alone";
    PairRequest shared = before;
    shared.shares_job = true;
    EXPECT_TRUE(can_share_job(shared, other));
    other.cell.layout = {4, 1};
    EXPECT_FALSE(can_share_job(shared, other));
    other.cell.layout = shared.cell.layout;
    other.job = 1;
    EXPECT_FALSE(can_share_job(shared, other));
}

TEST(PairQuestions, EndBeforeTheyAreTakenForAJobThatHangs) {
    const JobLimits usual;
    for (const double call_seconds : {1e-6, 1e-3, 0.1, 10.0}) {
        const Group group = asked(pairs_of_bytes(1024), cell_with(1024, call_seconds));
        const double both_overdue = 2 * 2 * group.limits.max_seconds;
        EXPECT_LT(both_overdue, usual.spare_seconds + 10 * group.limits.expected_seconds) << call_seconds;
        EXPECT_GE(group.limits.max_seconds, group.limits.expected_seconds) << call_seconds;
    }
}

TEST(PairQuestions, ResultsAreCheckedInTheFirstJob) {
    const Cell cell = cell_with(1024, 1e-4);
    EXPECT_TRUE(asked(pairs_of_bytes(1024), cell).check_results);
    EXPECT_FALSE(asked(pairs_of_bytes(1024, 1, 1), cell).check_results);
    EXPECT_FALSE(asked(pairs_of_bytes(1024, 10), cell).check_results);
}

}  // namespace

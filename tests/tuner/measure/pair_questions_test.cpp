// SPDX-License-Identifier: MIT
#include "pair_questions.hpp"

#include <gtest/gtest.h>

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

TEST(PairQuestions, OfCallsInARowAreTwo) {
    EXPECT_EQ(asked(pairs_of_bytes(1024, 10), cell_with(1024, 1e-4)).limits.max_repetitions, 2);
}

TEST(PairQuestions, TheFirstOfAJobWarmsItUp) {
    const Cell cell = cell_with(1024, 1e-4);
    EXPECT_EQ(asked(pairs_of_bytes(1024), cell, true).exchange.warm_up, 0) << "as the benchmark does";
    EXPECT_EQ(asked(pairs_of_bytes(1024), cell, false).exchange.warm_up, 2);
    EXPECT_EQ(asked(pairs_of_bytes(1024, 10), cell, false).exchange.warm_up, 1);
}

TEST(PairQuestions, ResultsAreCheckedInTheFirstJob) {
    const Cell cell = cell_with(1024, 1e-4);
    EXPECT_TRUE(asked(pairs_of_bytes(1024), cell).check_results);
    EXPECT_FALSE(asked(pairs_of_bytes(1024, 1, 1), cell).check_results);
    EXPECT_FALSE(asked(pairs_of_bytes(1024, 10), cell).check_results);
}

}  // namespace

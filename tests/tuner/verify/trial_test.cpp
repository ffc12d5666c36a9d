// SPDX-License-Identifier: MIT
// A rule on trial, job by job, with answers that are written here.
#include "trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace tuner;

// Answers that say how much faster ring is than the default, and who asked for what
struct Answers {
    std::map<std::size_t, double> gains;  // by size: default / ring; without one it cannot be measured
    std::size_t requests_left = 1000;     // then the time is up
    double start_skew_seconds = 0;
    double gain_in_a_row = 1;
    std::string used_by_default = "binomial";
    std::vector<PairRequest> asked = {};

    std::vector<CaseRecord> operator()(const PairRequest& request) {
        if (asked.size() == requests_left) {
            return {};
        }
        asked.push_back(request);
        const auto gain = gains.find(request.bytes);
        std::vector<CaseRecord> records(2);
        for (std::size_t i = 0; i < 2; ++i) {
            records[i].algorithm = request.algorithms.at(i);
            records[i].start_skew_seconds = start_skew_seconds;
            records[i].status = gain == gains.end() ? Status::crashed : Status::measured;
        }
        records[0].used = used_by_default;
        if (gain != gains.end()) {
            records[0].samples_seconds.assign(10, request.calls_in_a_row > 1 ? gain_in_a_row : gain->second);
            records[1].samples_seconds.assign(10, 1.0);
        }
        return records;
    }
    std::size_t rows_asked() const {
        return static_cast<std::size_t>(std::count_if(
            asked.begin(), asked.end(), [](const PairRequest& r) { return r.calls_in_a_row > 1; }));
    }
};

Trial trial_of(const std::vector<std::size_t>& sizes) {
    Trial trial;
    trial.rule.network = "eth";
    trial.rule.where = LayoutRange::exactly({4, 2, Mapping::block});
    trial.rule.collective = "bcast";
    trial.rule.algorithm = "ring";
    for (const std::size_t bytes : sizes) {
        trial.sizes.push_back({.bytes = bytes});
    }
    return trial;
}

void run_jobs(Trial& trial, Answers& answers, int jobs, std::size_t enough = 3) {
    for (int i = 0; i < jobs; ++i) {
        run_job(trial, std::ref(answers), enough);
    }
}

TEST(Trial, AsksForPairsOfEachSizeInEachJob) {
    Trial trial = trial_of({8, 64});
    Answers answers{.gains = {{8, 2.0}, {64, 1.25}}};
    run_jobs(trial, answers, 2);
    ASSERT_EQ(answers.asked.size(), 4u);
    EXPECT_EQ(answers.asked[1].bytes, 64u);
    EXPECT_EQ(answers.asked[1].job, 0);
    EXPECT_EQ(answers.asked[2].job, 1) << "a fresh one";
    EXPECT_EQ(answers.asked[0].algorithms, (std::vector<std::string>{"default", "ring"}));
    EXPECT_EQ(answers.asked[0].cell, (CellKey{"eth", {4, 2, Mapping::block}, "bcast", ""}));
    EXPECT_EQ(trial.jobs, 2u);
    ASSERT_EQ(trial.sizes[1].jobs.size(), 2u);
    EXPECT_NEAR(trial.sizes[1].jobs[0].log_ratio, std::log(1.25), 1e-12);
}

TEST(Trial, ASizeThatFailedIsNotAskedAgain) {
    Trial trial = trial_of({8, 64});
    Answers answers{.gains = {{64, 1.25}}};
    run_jobs(trial, answers, 2);
    EXPECT_EQ(answers.asked.size(), 3u);
    EXPECT_FALSE(trial.is_complete(trial.sizes[0]));
    EXPECT_TRUE(trial.is_complete(trial.sizes[1]));
    EXPECT_FALSE(trial.is_out_of_time) << "only that size failed";
}

TEST(Trial, HalfAJobCountsOnlyWhileThereAreTooFew) {
    for (const std::size_t enough : {1u, 2u}) {
        Trial trial = trial_of({8, 64});
        Answers answers{.gains = {{8, 2.0}, {64, 1.25}}, .requests_left = 3};
        run_jobs(trial, answers, 2, enough);
        EXPECT_TRUE(trial.is_out_of_time);
        EXPECT_EQ(trial.jobs, enough) << "1: the second is forgotten; 2: what it has counts";
        EXPECT_EQ(trial.sizes[0].jobs.size(), enough);
        EXPECT_EQ(trial.is_complete(trial.sizes[1]), enough == 1);
    }
}

TEST(Trial, AJobThatMeasuredNothingIsNone) {
    Trial trial = trial_of({8});
    Answers answers{.gains = {{8, 2.0}}, .requests_left = 0};
    run_jobs(trial, answers, 1);
    EXPECT_TRUE(trial.is_out_of_time);
    EXPECT_EQ(trial.jobs, 0u);
}

TEST(Trial, RanksThatStartFarApartAreAskedForCallsInARow) {
    for (const double skew : {0.1, 0.3}) {  // of calls that take 1 s and 2 s
        Trial trial = trial_of({8});
        Answers answers{.gains = {{8, 2.0}}, .start_skew_seconds = skew, .gain_in_a_row = 1.5};
        run_jobs(trial, answers, 3);
        EXPECT_EQ(answers.rows_asked(), skew > large_skew ? jobs_with_rows : 0);
        EXPECT_EQ(trial.sizes[0].in_a_row.size(), answers.rows_asked());
        EXPECT_EQ(trial.sizes[0].jobs.size(), 3u);
    }
    Trial without_rows = trial_of({8});
    without_rows.has_rows = false;
    Answers answers{.gains = {{8, 2.0}}, .start_skew_seconds = 0.3};
    run_jobs(without_rows, answers, 1);
    EXPECT_EQ(answers.rows_asked(), 0u);
}

TEST(Trial, TheSameAlgorithmNeedsNoRows) {
    Trial trial = trial_of({8});
    Answers answers{.gains = {{8, 1.0}}, .start_skew_seconds = 0.5, .used_by_default = "ring"};
    run_jobs(trial, answers, 1);
    EXPECT_TRUE(trial.sizes[0].is_same);
    EXPECT_EQ(answers.rows_asked(), 0u);
}

TEST(Trial, MeansOfJobsAreOverSizes) {
    const TrialSize small = {8, {{0.1, 0}, {0.2, 0}}};
    const TrialSize large = {64, {{0.3, 0}, {0.6, 0}}};
    const TrialSize* const sizes[] = {&small, &large};
    const auto means = means_of_jobs(sizes);
    ASSERT_EQ(means.size(), 2u);
    EXPECT_NEAR(means[0].log_ratio, 0.2, 1e-12);
    EXPECT_NEAR(means[1].log_ratio, 0.4, 1e-12);
    EXPECT_TRUE(means_of_jobs({}).empty());
    EXPECT_TRUE(means_of_jobs(sizes, &TrialSize::in_a_row).empty());
}

TEST(Trial, AProofHasTheRatioOfItsJobs) {
    Trial trial = trial_of({8});
    trial.sizes[0].jobs = {{std::log(1.2), 1e-6}, {std::log(1.25), 1e-6}, {std::log(1.3), 1e-6}};
    const Proof proof = proof_of(trial, trial.sizes[0], {1e-3, 10});
    EXPECT_EQ(proof.bytes, 8u);
    EXPECT_EQ(proof.algorithm, "ring");
    EXPECT_NEAR(proof.ratio.ratio, std::cbrt(1.2 * 1.25 * 1.3), 1e-9);
    EXPECT_GT(proof.ratio.interval.low, 1.1);
    EXPECT_LT(proof.ratio.interval.high, 1.4);
    ASSERT_EQ(proof.job_ratios.size(), 3u);
    EXPECT_NEAR(proof.job_ratios[2], 1.3, 1e-12);
    EXPECT_LT(proof.p_faster, 0.01) << "it is faster";
    EXPECT_NEAR(proof.p_slower, 1 - proof.p_faster, 1e-12);
    EXPECT_FALSE(proof.in_a_row) << "it was not measured";
    trial.sizes[0].in_a_row = {{std::log(0.9), 1e-6}};
    EXPECT_NEAR(proof_of(trial, trial.sizes[0], {1e-3, 10}).in_a_row->ratio, 0.9, 1e-9);
}

}  // namespace

// SPDX-License-Identifier: MIT
// The verdict on a rule, by the ratios of its jobs.
#include <gtest/gtest.h>

#include <cmath>

#include "verify.hpp"

namespace {

using namespace tuner;

constexpr double min_gain = 0.05;
constexpr double p_limit = 0.05;

// default / ring of one size, job by job
TrialSize size_with(std::size_t bytes, const std::vector<double>& ratios) {
    TrialSize size{.bytes = bytes};
    for (const double ratio : ratios) {
        size.jobs.push_back({std::log(ratio), 1e-5});
    }
    return size;
}

Trial trial_with(std::vector<TrialSize> sizes) {
    Trial trial;
    trial.rule.collective = "bcast";
    trial.rule.algorithm = "ring";
    trial.rule.from_bytes = sizes.front().bytes;
    trial.rule.to_bytes = sizes.back().bytes;
    trial.jobs = sizes.front().jobs.size();
    trial.sizes = std::move(sizes);
    return trial;
}

Judgement judgement_of(const Trial& trial, bool is_last = false, double limit = p_limit) {
    const models::JobVariance one_percent = {1e-4, 100};
    return judge(trial, {one_percent, one_percent}, min_gain, limit, is_last);
}

bool has_note(const Judgement& judgement, const std::string& text) {
    return judgement.note.find(text) != std::string::npos;
}

const std::vector<double> faster = {1.20, 1.21, 1.19};
const std::vector<double> slower = {0.90, 0.91, 0.89};

TEST(Judge, KeepsWhatGainsInThreeJobs) {
    const Judgement judgement = judgement_of(trial_with({size_with(8, faster), size_with(64, faster)}));
    EXPECT_EQ(judgement.verdict, Verdict::holds);
    EXPECT_NEAR(judgement.rule.verified_gain, 0.2, 0.005);
    EXPECT_LT(judgement.rule.verified_interval.low, 0.2);
    EXPECT_GT(judgement.rule.verified_interval.low, 0.15);
    EXPECT_EQ(judgement.note, "");
}

TEST(Judge, TwoJobsProveNothing) {
    const Trial trial = trial_with({size_with(8, {1.2, 1.2})});
    EXPECT_EQ(judgement_of(trial).verdict, Verdict::undecided);
    const Judgement last = judgement_of(trial, true);
    EXPECT_EQ(last.verdict, Verdict::dropped);
    EXPECT_TRUE(has_note(last, "measured in 2 of 3 jobs")) << last.note;
}

TEST(Judge, OneJobIsEnoughToSeeThatItIsSlower) {
    const Judgement judgement = judgement_of(trial_with({size_with(8, {0.8})}));
    EXPECT_EQ(judgement.verdict, Verdict::dropped);
    EXPECT_TRUE(has_note(judgement, "slower than the default")) << judgement.note;
}

TEST(Judge, CutsTheEndThatDoesNotHold) {
    const Judgement judgement = judgement_of(trial_with(
        {size_with(8, slower), size_with(64, faster), size_with(512, faster), size_with(4096, slower)}));
    EXPECT_EQ(judgement.verdict, Verdict::holds);
    EXPECT_EQ(judgement.rule.from_bytes, 64u);
    EXPECT_EQ(judgement.rule.to_bytes, 512u);
    EXPECT_TRUE(has_note(judgement, "was narrowed to")) << judgement.note;
}

TEST(Judge, ARuleHasOneRunOfSizesTheOneWithMostEvidence) {
    const Judgement judgement = judgement_of(trial_with(
        {size_with(8, faster), size_with(64, slower), size_with(512, faster), size_with(4096, faster)}));
    EXPECT_EQ(judgement.rule.from_bytes, 512u);
    EXPECT_EQ(judgement.rule.to_bytes, 4096u);
}

TEST(Judge, EveryJobMustGain) {
    const Judgement judgement = judgement_of(trial_with({size_with(8, {1.3, 1.3, 1.02})}), true);
    EXPECT_EQ(judgement.verdict, Verdict::dropped);
    EXPECT_TRUE(has_note(judgement, "no gain of more than 5% in one of 3 jobs")) << judgement.note;
}

TEST(Judge, WhatIsPromisingGetsMoreJobs) {
    const Trial trial = trial_with({size_with(8, faster)});
    constexpr double strict = 0;  // no p-value is below
    EXPECT_EQ(judgement_of(trial, false, strict).verdict, Verdict::undecided);
    const Judgement last = judgement_of(trial, true, strict);
    EXPECT_EQ(last.verdict, Verdict::dropped);
    EXPECT_TRUE(has_note(last, "not beyond noise")) << last.note;
}

TEST(Judge, CallsInARowMustGainToo) {
    Trial trial = trial_with({size_with(8, faster)});
    trial.sizes[0].in_a_row = size_with(8, {1.2, 1.2}).jobs;
    EXPECT_EQ(judgement_of(trial).verdict, Verdict::holds);
    trial.sizes[0].in_a_row = size_with(8, {1.001, 1.001}).jobs;
    const Judgement judgement = judgement_of(trial, true);
    EXPECT_EQ(judgement.verdict, Verdict::dropped);
    EXPECT_TRUE(has_note(judgement, "in 10 calls in a row")) << judgement.note;
}

TEST(Judge, TheSameAlgorithmIsNoEvidence) {
    Trial trial = trial_with({size_with(8, faster)});
    trial.sizes[0].is_same = true;
    const Judgement judgement = judgement_of(trial);
    EXPECT_EQ(judgement.verdict, Verdict::dropped);
    EXPECT_TRUE(has_note(judgement, "the default uses the same algorithm")) << judgement.note;
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "across_jobs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using models::across_jobs;
using models::AcrossJobs;
using models::BetweenJobs;
using models::JobRatio;

struct Pairs {
    std::vector<double> before;
    std::vector<double> after;
};

// `log_ratio` is that of the job: what all its pairs share
Pairs pairs_of(double log_ratio, double noise, std::size_t count, std::mt19937_64& random) {
    std::normal_distribution<double> normal(0, noise);
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
        pairs.before.push_back(std::exp(log_ratio + normal(random)));
        pairs.after.push_back(std::exp(normal(random)));
    }
    return pairs;
}

std::vector<JobRatio> jobs_of(double log_ratio, double between, std::size_t count, std::mt19937_64& random) {
    std::normal_distribution<double> normal;  // times a deviation that may be 0
    std::vector<JobRatio> jobs;
    for (std::size_t i = 0; i < count; ++i) {
        const Pairs pairs = pairs_of(log_ratio + between * normal(random), 0.13, 10, random);
        jobs.push_back(models::ratio_in_job(pairs.before, pairs.after));
    }
    return jobs;
}

TEST(RatioInJob, OutliersDoNotMoveIt) {
    std::mt19937_64 random(1);
    Pairs pairs = pairs_of(std::log(1.2), 0.02, 20, random);
    const JobRatio before = models::ratio_in_job(pairs.before, pairs.after);
    pairs.before[3] *= 100;
    pairs.after[7] *= 100;
    const JobRatio with_outliers = models::ratio_in_job(pairs.before, pairs.after);
    EXPECT_NEAR(before.log_ratio, std::log(1.2), 0.02);
    EXPECT_NEAR(with_outliers.log_ratio, before.log_ratio, 0.01);
    EXPECT_LT(with_outliers.variance, 2 * before.variance);
}

TEST(RatioInJob, ItsVarianceIsThatOfManyJobs) {
    std::mt19937_64 random(2);
    double squares = 0;
    double variances = 0;
    constexpr int jobs = 4000;
    for (int i = 0; i < jobs; ++i) {
        const Pairs pairs = pairs_of(0, 0.13, 10, random);
        const JobRatio job = models::ratio_in_job(pairs.before, pairs.after);
        squares += job.log_ratio * job.log_ratio / jobs;
        variances += job.variance / jobs;
    }
    EXPECT_NEAR(variances / squares, 1, 0.15);
}

TEST(RatioInJob, NeedsPairsOfTimes) {
    const std::vector<double> two = {1, 2};
    EXPECT_THROW(models::ratio_in_job(two, std::vector<double>{1}), std::invalid_argument);
    EXPECT_THROW(models::ratio_in_job(two, std::vector<double>{1, 0}), std::invalid_argument);
    EXPECT_THROW(models::ratio_in_job({}, {}), std::invalid_argument);
}

TEST(MeanRatioInJob, ItsIntervalHoldsForFewAndManyPairs) {
    std::mt19937_64 random(7);
    for (const std::size_t count : {10u, 30u, 200u}) {
        int misses = 0;
        constexpr int jobs = 2000;
        for (int i = 0; i < jobs; ++i) {
            Pairs pairs = pairs_of(std::log(1.1), 0.13, count, random);
            for (std::size_t k = 0; k < count; ++k) {
                pairs.before[k] /= pairs.after[k];
            }
            const models::Ratio ratio = models::with_interval(models::log_mean_in_job(pairs.before), 0.99);
            misses += ratio.interval.low > 1.1 || ratio.interval.high < 1.1;
        }
        EXPECT_LT(misses, 0.018 * jobs) << count;  // 1% expected; four standard errors
    }
}

TEST(BetweenJobs, FindsWhatJobsDifferBy) {
    std::mt19937_64 random(3);
    for (const double deviation : {0.0, 0.024, 0.1}) {
        BetweenJobs between;
        for (int i = 0; i < 2000; ++i) {
            between.add(jobs_of(0.3, deviation, 3, random));
        }
        EXPECT_NEAR(std::sqrt(between.variance().variance), deviation, 0.015) << deviation;
    }
}

TEST(BetweenJobs, TakesTheUsualDifferenceWhileNothingIsKnown) {
    EXPECT_NEAR(std::sqrt(BetweenJobs().variance().variance), 0.024, 1e-12);
}

// Jobs that differ by 2.4%, three of 10 pairs: the interval is for what the next jobs will show
TEST(AcrossJobs, ItsIntervalHolds) {
    std::mt19937_64 random(4);
    for (const double deviation : {0.0, 0.024, 0.08}) {
        BetweenJobs between;
        std::vector<std::vector<JobRatio>> comparisons;
        constexpr int count = 2000;
        for (int i = 0; i < count; ++i) {
            comparisons.push_back(jobs_of(std::log(1.1), deviation, 3, random));
            between.add(comparisons.back());
        }
        int holds = 0;
        for (const std::vector<JobRatio>& jobs : comparisons) {
            const models::Interval interval = across_jobs(jobs, between.variance()).interval();
            holds += interval.low <= 1.1 && 1.1 <= interval.high;
        }
        EXPECT_NEAR(static_cast<double>(holds) / count, 0.95, 0.02) << deviation;
    }
}

// One job that says something else: the estimate knows less, and the lowest job is named
TEST(AcrossJobs, JobsThatDisagreeWidenTheInterval) {
    const std::vector<JobRatio> agree = {{0.1, 1e-4}, {0.1, 1e-4}, {0.1, 1e-4}};
    const std::vector<JobRatio> disagree = {{0.4, 1e-4}, {0.1, 1e-4}, {-0.2, 1e-4}};
    const AcrossJobs first = across_jobs(agree, {1e-4, 100});
    const AcrossJobs second = across_jobs(disagree, {1e-4, 100});
    EXPECT_NEAR(first.log_ratio, second.log_ratio, 1e-12);
    EXPECT_GT(second.standard_error, 5 * first.standard_error);
    EXPECT_EQ(second.lowest_job, -0.2);
    EXPECT_LT(first.p_not_above(0), 1e-6);
    EXPECT_GT(second.p_not_above(0), 0.05);
}

}  // namespace

// SPDX-License-Identifier: MIT
// One comparison, repeated in several jobs. What differs between jobs (where processes and buffers come to
// lie, how connections start) is not seen by more repetitions in one of them, so the estimate counts jobs,
// not repetitions. Three jobs alone say little about how jobs differ; many comparisons together say it well.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "comparison.hpp"

namespace models {

// log(a / b) of pairs in one job
struct JobRatio {
    double log_ratio = 0;  // mean without the smallest and largest fifth
    double variance = 0;   // of that mean, by the spread of the pairs (Tukey and McLaughlin 1963)
};

// Pairs that were measured together: a[i] with b[i]. At least two, all times above zero; throws
// std::invalid_argument otherwise.
JobRatio ratio_in_job(std::span<const double> a, std::span<const double> b);

// The mean of logarithms in one job, without the smallest and largest fifth; its variance is wider by what
// neighbours share
struct LogMean {
    double mean = 0;
    double variance = 0;
    double degrees_of_freedom = 1;
    std::size_t repetitions = 0;
    double of_one = 0;  // the variance of one repetition, as if neighbours shared nothing
};
// Of ratios or times in the order in which they were measured: at least two, above zero
LogMean log_mean_in_job(std::span<const double> values);

// The variance of one repetition that is usual among these means: what the few repetitions of one of them
// say about their spread can be supported by. 0: there are not enough of them.
double usual_variance(std::span<const LogMean> means);

// exp(mean) with its interval for this one job. Fewer than `few_repetitions` are supported by what is usual
// (as by so many degrees of freedom more), if that is above zero.
inline constexpr std::size_t few_repetitions = 15;
Ratio with_interval(const LogMean& mean, double confidence, double usual_variance = 0);

// The mean of several sizes of one job
JobRatio mean_of(std::span<const JobRatio> sizes);

// How jobs differ beyond the spread of their pairs: a variance of log(a / b), and from how much it is known
struct JobVariance {
    double variance = 0;
    double degrees_of_freedom = 0;
};

// Pooled over comparisons
class BetweenJobs {
  public:
    void add(std::span<const JobRatio> jobs_of_a_comparison);
    JobVariance variance() const;  // what was usual elsewhere (2.4%) while little is known

  private:
    double excess_ = 0;  // sum of squares between jobs, without what their pairs explain
    double degrees_ = 0;
};

// A comparison over its jobs
struct AcrossJobs {
    double log_ratio = 0;
    double standard_error = 0;
    double degrees_of_freedom = 1;
    double lowest_job = 0;  // log ratio of the job with the smallest one
    std::size_t jobs = 0;

    double bound(double upper_tail) const;       // log ratio that the truth is below with this probability
    double p_not_above(double log_ratio) const;  // p-value of: the truth is not above this
    Interval interval(double confidence = 0.95) const;  // of the ratio a / b
};

// The variance is that between these jobs, moderated by the pooled one as far as that is known, but not more
// than by 16 degrees of freedom (Smyth 2004). At least one job; the pool should have them,
// too.
AcrossJobs across_jobs(std::span<const JobRatio> jobs, const JobVariance& between_jobs);

}  // namespace models

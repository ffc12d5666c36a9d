// SPDX-License-Identifier: MIT
// A rule on trial: the default against its algorithm, at each of its sizes in pairs, in one fresh job after
// the other.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "across_jobs.hpp"
#include "campaign.hpp"
#include "config.hpp"

namespace tuner {

// Measures the algorithms as pairs. Requests of the same cell, algorithms and job number are asked of one
// job, as are those of a layout that share it; another number is another, fresh job. Empty: it could not be
// measured.
using MeasurePairs = std::function<std::vector<CaseRecord>(const PairRequest& request)>;

// Where the ranks start a call so far apart, relative to its time, a gain must also show in calls in a row
constexpr double large_skew = 0.2;
constexpr int calls_in_a_row = 10;
constexpr std::size_t jobs_with_rows = 2;  // of a trial; each of these repetitions is a mean

struct TrialSize {
    std::size_t bytes = 0;
    std::vector<models::JobRatio> jobs = {};      // default / tuned, job by job
    std::vector<models::JobRatio> in_a_row = {};  // the same of calls in a row; only with a large skew
    bool is_same = false;  // the default ran the rule's algorithm: neither evidence nor harm
};

struct Trial {
    Rule rule;
    std::vector<TrialSize> sizes;  // ascending
    std::size_t jobs = 0;          // that measured something
    bool is_out_of_time = false;   // no more jobs can be had
    bool has_rows = true;          // calls in a row, too, where ranks start far apart
    bool shares_jobs = false;      // with other rules on the same layout

    // Was it measured in all jobs?
    bool is_complete(const TrialSize& size) const { return size.jobs.size() == jobs; }
};

// Default / algorithm, of what one job measured; nothing: too few pairs
std::optional<models::JobRatio> ratio_of(const std::vector<CaseRecord>& records,
                                         const std::string& algorithm);

// Measures all sizes in one more job. If the time is up before its end, what it measured counts only where
// fewer jobs than `enough` measured all sizes.
void run_job(Trial& trial, const MeasurePairs& measure, std::size_t enough);

// Of some sizes, job by job, the mean of their ratios
std::vector<models::JobRatio> means_of_jobs(
    std::span<const TrialSize* const> sizes,
    std::vector<models::JobRatio> TrialSize::*kind = &TrialSize::jobs);

// One verified size
struct Proof {
    CellKey cell;
    std::size_t bytes = 0;
    std::string algorithm;
    models::Ratio ratio;                  // default / tuned, over its jobs: above 1 is a gain
    double p_slower = 1;                  // of: tuned is not slower than the default; small if it is slower
    double p_faster = 1;                  // of: tuned is not faster
    std::vector<double> job_ratios = {};  // default / tuned in each job
    std::optional<models::Ratio> in_a_row = {};  // of calls in a row, where ranks start far apart
    // With ranks that arrive apart, by pattern; one size of a rule, or few, are measured so
    std::map<std::string, models::Ratio> arrivals = {};
    bool is_same = false;  // the default uses the same algorithm there
};

Proof proof_of(const Trial& trial, const TrialSize& size, const models::JobVariance& between_jobs);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// Proves rules: default against the rule's algorithm in pairs, in at least three fresh jobs. Only what was
// verified stays: a rule is cut at the last size that holds, and dropped unless it gains in every job and,
// over all jobs, beyond what chance does with so many rules.
#pragma once

#include "comparison.hpp"
#include "held_out.hpp"
#include "plan.hpp"
#include "trial.hpp"

namespace tuner {

constexpr double error_rate = 0.05;      // of all rules of a verification together
constexpr std::size_t fewest_jobs = 3;   // of a verified rule
constexpr std::size_t most_jobs = 6;     // where three cannot tell
constexpr double tolerated_loss = 0.02;  // at a size inside of a rule, with 95% confidence

// How jobs differ, of single sizes and of the means of rules
struct JobVariances {
    models::JobVariance of_sizes = models::BetweenJobs().variance();
    models::JobVariance of_rules = models::BetweenJobs().variance();
};

struct Verification {
    std::vector<Rule> rules;         // that hold, with their verified gain
    std::vector<Proof> proofs;       // of all sizes that were verified, in order
    std::vector<std::string> notes;  // what was dropped or narrowed, and why
    JobVariances variances = {};
};

// `held_out`: where rules for ranges of layouts are tested
Verification verify(const Config& config, const Cells& cells, const Plan& plan, const MeasurePairs& measure,
                    const HeldOutChoice& held_out = {});

// Not slower than the default by more than is tolerated; with calls in a row, not slower at all
bool is_sound(const Trial& trial, const TrialSize& size, const JobVariances& variances);

std::string name_of(const Rule& rule);  // for people

// Why a rule was dropped of which nobody knows whether it holds; and how many notes say so
inline constexpr const char* not_measured = "the time limit was reached, or a job did not start";
std::size_t count_not_measured(const std::vector<std::string>& notes);

// The end of a note that says that times could not be compared
inline constexpr const char* coarse_clocks =
    "which algorithm is faster cannot be told; use idle nodes, and not more ranks than cores";
// Why it is not known whether the library's default is good; empty: nothing speaks against it
std::string why_not_determined(const std::vector<std::string>& notes);

JobVariances variances_of(std::span<const Trial> trials);

enum class Verdict { holds, undecided, dropped };

struct Judgement {
    Verdict verdict = Verdict::undecided;
    Rule rule;         // that holds: whole or narrowed
    std::string note;  // why it was dropped or narrowed; may be empty
};

// After any number of jobs. `p_limit`: a rule that holds has a smaller p-value. With `is_last`, no more jobs
// can be had.
Judgement judge(const Trial& trial, const JobVariances& variances, double min_gain, double p_limit,
                bool is_last);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// Rules for ranges of layouts on trial: at layouts that they were not decided from, each in a fresh job. What
// one job is to a rule of one layout, a layout is to such a rule: it must gain at every one.
#pragma once

#include "held_out.hpp"
#include "verify.hpp"

namespace tuner {

struct RangeTrial {
    Rule rule;
    std::vector<Trial> at;  // of a rule for one layout each

    std::size_t jobs() const;
    bool is_out_of_time() const;
};

RangeTrial range_trial(const Rule& rule, const std::vector<HeldOutLayout>& tests, bool has_rows = true);

// Until each of them has so many jobs in all, one layout after the other. Those of a layout share a job.
void run_jobs(std::span<RangeTrial* const> trials, const MeasurePairs& measure, std::size_t jobs);

// What does not hold is cut off: sizes at the ends, then nodes or ranks on a node on one side.
Judgement judge(const RangeTrial& trial, const JobVariances& variances, double min_gain, double p_limit,
                bool is_last);

}  // namespace tuner

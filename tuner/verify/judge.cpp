// SPDX-License-Identifier: MIT
// The verdict on a rule by what its jobs measured.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "units.hpp"
#include "verify.hpp"

namespace tuner {

namespace {

constexpr double confidence_tail = 0.05;  // of one-sided bounds
// A rule is given up early if it gains less than the least gain with this probability. It costs no error:
// what is given up is not emitted.
constexpr double futile_tail = 0.25;
constexpr double promising_p = 0.2;  // more jobs may still prove it

using Sizes = std::vector<const TrialSize*>;

// Neighbouring sizes that may stay in the rule
struct Run {
    std::size_t first = 0;  // position in the trial
    std::size_t last = 0;
    Sizes evidence = {};  // sizes at which the rule changes what runs
};

class Jury {
  public:
    Jury(const Trial& trial, const JobVariances& variances, double min_gain)
        : trial_(trial), variances_(variances), least_log_gain_(std::log1p(min_gain)) {
        for (const TrialSize& size : trial.sizes) {
            if (trial.is_complete(size) && !size.is_same && trial.jobs > 0) {
                evidence_.push_back(&size);
            }
        }
    }

    const Sizes& evidence() const { return evidence_; }

    models::AcrossJobs at(const TrialSize& size) const {
        return models::across_jobs(size.jobs, variances_.of_sizes);
    }
    models::AcrossJobs mean(const Sizes& sizes,
                            std::vector<models::JobRatio> TrialSize::*kind = &TrialSize::jobs) const {
        return models::across_jobs(means_of_jobs(sizes, kind), variances_.of_rules);
    }

    bool is_sound(const TrialSize& size) const { return tuner::is_sound(trial_, size, variances_); }
    // Not sound yet, but it looks like a gain that is worth more jobs
    bool may_become_sound(const TrialSize& size) const {
        return trial_.is_complete(size) && !is_sound(size) && at(size).log_ratio > least_log_gain_;
    }

    // The run of sound sizes with most evidence; empty if there is none
    Run best_run() const {
        Run best;
        Run run;
        for (std::size_t i = 0; i < trial_.sizes.size(); ++i) {
            const TrialSize& size = trial_.sizes[i];
            if (!is_sound(size)) {
                run = {};
                continue;
            }
            if (!size.is_same) {
                run.first = run.evidence.empty() ? i : run.first;
                run.last = i;
                run.evidence.push_back(&size);
            }
            if (run.evidence.size() > best.evidence.size()) {
                best = run;
            }
        }
        return best;
    }

    // Of a run that was chosen among all runs: of no gain in all of the rule, or in any part of it
    double p_of(const Run& run) const {
        const double halves = 2;  // of the error: for the rule as a whole, and for its parts
        const auto n = static_cast<double>(evidence_.size());
        const double parts = run.evidence.size() == evidence_.size() ? 1 : n * (n + 1) / 2;
        return std::min(1.0, halves * parts * mean(run.evidence).p_not_above(0));
    }

    bool wins_in_a_row(const Run& run) const {
        Sizes skewed;
        std::copy_if(run.evidence.begin(), run.evidence.end(), std::back_inserter(skewed),
                     [](const TrialSize* size) { return !size->in_a_row.empty(); });
        return skewed.empty() || mean(skewed, &TrialSize::in_a_row).bound(1 - confidence_tail) > 0;
    }

    bool gains_in_every_job(const Run& run) const { return mean(run.evidence).lowest_job > least_log_gain_; }

    bool is_futile() const {
        const bool has_winner = std::any_of(evidence_.begin(), evidence_.end(), [&](const TrialSize* size) {
            return at(*size).bound(1 - confidence_tail) > 0;
        });
        return !has_winner && mean(evidence_).bound(futile_tail) < least_log_gain_;
    }

    bool is_slower() const { return mean(evidence_).bound(confidence_tail) < 0; }

  private:
    const Trial& trial_;
    const JobVariances& variances_;
    double least_log_gain_;
    Sizes evidence_;
};

Judgement dropped(const Trial& trial, const std::string& why) {
    return {Verdict::dropped, trial.rule, name_of(trial.rule) + " was dropped: " + why};
}

std::string why_dropped(const Trial& trial, const Jury& jury, const Run& run, double min_gain) {
    if (jury.is_slower()) {
        return "slower than the default when verified";
    }
    if (run.evidence.empty() || jury.mean(run.evidence).log_ratio <= std::log1p(min_gain)) {
        return fmt::format("no gain of more than {:.3g}% when verified in {} jobs", 100 * min_gain,
                           trial.jobs);
    }
    if (!jury.wins_in_a_row(run)) {
        return fmt::format("no gain in {} calls in a row when verified in {} jobs", calls_in_a_row,
                           trial.jobs);
    }
    if (!jury.gains_in_every_job(run)) {
        return fmt::format("no gain of more than {:.3g}% in one of {} jobs when verified", 100 * min_gain,
                           trial.jobs);
    }
    return fmt::format("its gain is not beyond noise when verified in {} jobs", trial.jobs);
}

// Up to the last verified size; an end that was verified stays where it was
Judgement kept(const Trial& trial, const Jury& jury, const Run& run) {
    Judgement judgement = {Verdict::holds, trial.rule, ""};
    Rule& rule = judgement.rule;
    const auto is_cut = [&](std::size_t from, std::size_t to) {
        return std::any_of(trial.sizes.begin() + static_cast<std::ptrdiff_t>(from),
                           trial.sizes.begin() + static_cast<std::ptrdiff_t>(to),
                           [&](const TrialSize& size) { return !jury.is_sound(size); });
    };
    if (is_cut(0, run.first)) {
        rule.from_bytes = trial.sizes[run.first].bytes;
    }
    if (is_cut(run.last + 1, trial.sizes.size())) {
        rule.to_bytes = trial.sizes[run.last].bytes;
    }
    const models::AcrossJobs gain = jury.mean(run.evidence);
    const models::Interval interval = gain.interval();
    rule.verified_gain = std::expm1(gain.log_ratio);
    rule.verified_interval = {interval.low - 1, interval.high - 1};
    if (rule.from_bytes != trial.rule.from_bytes || rule.to_bytes != trial.rule.to_bytes) {
        judgement.note = fmt::format("{} was narrowed to {} to {}: not verified outside", name_of(trial.rule),
                                     bytes_text(rule.from_bytes), bytes_text(rule.to_bytes));
    }
    return judgement;
}

}  // namespace

bool is_sound(const Trial& trial, const TrialSize& size, const JobVariances& variances) {
    const auto over_jobs = [&](const std::vector<models::JobRatio>& jobs) {
        return models::across_jobs(jobs, variances.of_sizes);
    };
    return trial.is_complete(size) &&
           (size.is_same || (over_jobs(size.jobs).bound(1 - confidence_tail) > std::log1p(-tolerated_loss) &&
                             (size.in_a_row.empty() || over_jobs(size.in_a_row).log_ratio > 0)));
}

Judgement judge(const Trial& trial, const JobVariances& variances, double min_gain, double p_limit,
                bool is_last) {
    const Jury jury(trial, variances, min_gain);
    if (is_last && trial.jobs < fewest_jobs) {
        return dropped(trial,
                       fmt::format("measured in {} of {} jobs: {}", trial.jobs, fewest_jobs, not_measured));
    }
    if (jury.evidence().empty()) {
        const bool is_same = std::any_of(trial.sizes.begin(), trial.sizes.end(),
                                         [](const TrialSize& size) { return size.is_same; });
        return dropped(trial, is_same ? "the default uses the same algorithm at all verified sizes"
                                      : "no size could be verified");
    }
    const Run run = jury.best_run();
    if (trial.jobs < fewest_jobs) {
        return jury.is_futile() ? dropped(trial, why_dropped(trial, jury, run, min_gain)) : Judgement{};
    }
    if (!run.evidence.empty()) {
        const double p = jury.p_of(run);
        const bool gains = jury.gains_in_every_job(run) && jury.wins_in_a_row(run);
        const bool may_widen =
            run.evidence.size() < jury.evidence().size() &&
            std::any_of(trial.sizes.begin(), trial.sizes.end(),
                        [&](const TrialSize& size) { return jury.may_become_sound(size); });
        if (gains && p < p_limit && (is_last || !may_widen)) {
            return kept(trial, jury, run);
        }
        if (gains && p < promising_p && !is_last) {
            return {};
        }
    }
    const bool may_start = run.evidence.empty() && !jury.is_futile();
    return may_start && !is_last ? Judgement{} : dropped(trial, why_dropped(trial, jury, run, min_gain));
}

}  // namespace tuner

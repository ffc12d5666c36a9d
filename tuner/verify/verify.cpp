// SPDX-License-Identifier: MIT
#include "verify.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "decide.hpp"
#include "units.hpp"
#include "verified_sizes.hpp"
#include "verify_arrivals.hpp"
#include "verify_ranges.hpp"

namespace tuner {

namespace {

// Rules that are verified together: one job of each, then the next job of each, so that the jobs of a rule
// are apart in time. Not more, so that some rules are proven when the time is up.
constexpr std::size_t rules_at_once = 3;

// Of the error rate, what each look after so many jobs may spend
double share_of_look(std::size_t jobs) {
    constexpr double shares[] = {0.125, 0.125, 0.25, 0.5};
    return jobs < fewest_jobs ? 0 : shares[jobs - fewest_jobs];
}

class Verifier {
  public:
    Verifier(const Config& config, const Cells& cells, const Plan& plan, const MeasurePairs& measure)
        : plan_(plan), measure_(measure), undecided_(config.rules.size()) {
        for (const Rule& rule : config.rules) {
            if (is_predicted(rule)) {
                --undecided_;
                continue;
            }
            Trial trial = {rule, {}};
            trial.has_rows = plan.mix.empty();  // calls in a row are other arrivals
            for (const std::size_t bytes : sizes_to_verify(rule, cells.at(cell_of(rule)),
                                                           static_cast<std::size_t>(plan.verify_sizes))) {
                trial.sizes.push_back({bytes});
            }
            trials_.push_back(std::move(trial));
        }
    }

    Verification result() {
        judgements_.resize(trials_.size());
        const std::vector<std::size_t> order = most_promising_first();
        for (std::size_t first = 0; first < order.size(); first += rules_at_once) {
            decide(std::span(order).subspan(first, std::min(rules_at_once, order.size() - first)));
        }
        Verification result;
        const JobVariances& variances = result.variances = variances_of(trials_);
        for (std::size_t i = 0; i < trials_.size(); ++i) {
            for (const TrialSize& size : trials_[i].sizes) {
                if (size.jobs.size() >= fewest_jobs) {
                    result.proofs.push_back(proof_of(trials_[i], size, variances.of_sizes));
                }
            }
            if (judgements_[i].verdict == Verdict::holds) {
                result.rules.push_back(judgements_[i].rule);
            }
            if (!judgements_[i].note.empty()) {
                result.notes.push_back(judgements_[i].note);
            }
        }
        return result;
    }

  private:
    // Positions of rules
    std::vector<std::size_t> most_promising_first() const {
        std::vector<std::size_t> order(trials_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return trials_[a].rule.expected_gain > trials_[b].rule.expected_gain;
        });
        return order;
    }

    void decide(std::span<const std::size_t> rules) {
        for (std::size_t job = 1; job <= most_jobs; ++job) {
            for (const std::size_t i : rules) {
                if (judgements_[i].verdict == Verdict::undecided) {
                    run_job(trials_[i], measure_, fewest_jobs);
                }
            }
            const JobVariances variances = variances_of(trials_);
            for (const std::size_t i : rules) {
                if (judgements_[i].verdict == Verdict::undecided) {
                    look(i, variances);
                }
            }
        }
    }

    // Of all rules that are still to be decided, each has the same share of the error (Holm 1979)
    void look(std::size_t i, const JobVariances& variances) {
        const Trial& trial = trials_[i];
        const bool is_last = trial.is_out_of_time || trial.jobs == most_jobs;
        const double p_limit = error_rate * share_of_look(trial.jobs) / static_cast<double>(undecided_);
        judgements_[i] = judge(trial, variances, plan_.min_gain, p_limit, is_last);
        undecided_ -= judgements_[i].verdict == Verdict::holds;
    }

    const Plan& plan_;
    const MeasurePairs& measure_;
    std::vector<Trial> trials_;
    std::vector<Judgement> judgements_;
    std::size_t undecided_;  // rules that do not hold, or not yet
};

}  // namespace

std::string name_of(const Rule& rule) {
    return fmt::format("{} {} {}: {} from {} to {}", rule.network, to_string(rule.where), rule.collective,
                       rule.algorithm, bytes_text(rule.from_bytes), bytes_text(rule.to_bytes));
}

std::size_t count_not_measured(const std::vector<std::string>& notes) {
    return static_cast<std::size_t>(std::count_if(
        notes.begin(), notes.end(), [](const std::string& note) { return note.ends_with(not_measured); }));
}

std::string why_not_determined(const std::vector<std::string>& notes) {
    if (const std::size_t count = count_not_measured(notes); count > 0) {
        return fmt::format("{} rule{} could not be verified, because {}", count, count == 1 ? "" : "s",
                           not_measured);
    }
    const auto found = std::find_if(notes.begin(), notes.end(),
                                    [](const std::string& note) { return note.ends_with(coarse_clocks); });
    return found == notes.end() ? "" : *found;
}

JobVariances variances_of(std::span<const Trial> trials) {
    models::BetweenJobs sizes;
    models::BetweenJobs rules;
    for (const Trial& trial : trials) {
        std::vector<const TrialSize*> complete;
        for (const TrialSize& size : trial.sizes) {
            sizes.add(size.jobs);
            if (trial.is_complete(size) && !size.is_same) {
                complete.push_back(&size);
            }
        }
        rules.add(means_of_jobs(complete));
    }
    JobVariances variances = {sizes.variance(), rules.variance()};
    // what all sizes of a job have in common is in each of them, though their noise may hide it
    variances.of_sizes.variance = std::max(variances.of_sizes.variance, variances.of_rules.variance);
    return variances;
}

Verification verify(const Config& config, const Cells& cells, const Plan& plan, const MeasurePairs& measure,
                    const HeldOutChoice& held_out) {
    Verification result = Verifier(config, cells, plan, measure).result();
    verify_ranges(config, cells, plan, measure, held_out, result);
    verify_arrivals(plan, measure, result);
    return result;
}

}  // namespace tuner

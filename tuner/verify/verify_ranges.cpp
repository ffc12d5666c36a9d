// SPDX-License-Identifier: MIT
#include "verify_ranges.hpp"

#include <algorithm>
#include <span>

#include "decide.hpp"
#include "range_trial.hpp"

namespace tuner {

namespace {

struct Candidate {
    const Rule* rule;
    RangeTrial trial = {};
    Judgement judgement = {};

    bool is_undecided() const { return judgement.verdict == Verdict::undecided; }
};

class RangeVerifier {
  public:
    RangeVerifier(const Config& config, const Cells& cells, const Plan& plan, const MeasurePairs& measure,
                  const HeldOutChoice& choice, const JobVariances& variances)
        : config_(config), plan_(plan), measure_(measure), choice_(choice), variances_(variances) {
        for (const auto& [key, cell] : cells) {
            measured_.insert(key.layout);
        }
        for (const Rule& rule : config.rules) {
            if (is_predicted(rule)) {
                candidates_.push_back({&rule});
            }
        }
    }

    const std::vector<Candidate>& judged() {
        std::vector<Candidate*> order;
        for (Candidate& candidate : candidates_) {
            order.push_back(&candidate);
        }
        std::stable_sort(order.begin(), order.end(), [](const Candidate* a, const Candidate* b) {
            return a->rule->worth > b->rule->worth;
        });
        for (std::size_t first = 0; first < order.size(); first += ranges_at_once) {
            judge_together(std::span(order).subspan(first, std::min(ranges_at_once, order.size() - first)));
        }
        return candidates_;
    }

  private:
    // Each has the same share of the error, at each of two looks
    void judge_together(std::span<Candidate* const> candidates) {
        std::set<Layout> layouts;
        for (Candidate* candidate : candidates) {
            const std::vector<HeldOutLayout> tests =
                held_out(config_, *candidate->rule, measured_, choice_, layouts);
            candidate->trial = range_trial(*candidate->rule, tests, plan_.mix.empty());
            for (const HeldOutLayout& test : tests) {
                layouts.insert(test.layout);
            }
        }
        const double p_limit = error_rate / 2 / static_cast<double>(candidates_.size());
        for (const std::size_t jobs : {fewest_jobs, most_jobs}) {
            std::vector<RangeTrial*> undecided;
            for (Candidate* candidate : candidates) {
                if (candidate->is_undecided()) {
                    undecided.push_back(&candidate->trial);
                }
            }
            run_jobs(undecided, measure_, jobs);
            for (Candidate* candidate : candidates) {
                if (candidate->is_undecided()) {
                    candidate->judgement = judge(candidate->trial, variances_, plan_.min_gain, p_limit,
                                                 jobs == most_jobs || candidate->trial.is_out_of_time());
                }
            }
        }
    }

    const Config& config_;
    const Plan& plan_;
    const MeasurePairs& measure_;
    const HeldOutChoice& choice_;
    const JobVariances& variances_;
    std::set<Layout> measured_;
    std::vector<Candidate> candidates_;  // in the order of the configuration: the first one that holds counts
};

}  // namespace

void verify_ranges(const Config& config, const Cells& cells, const Plan& plan, const MeasurePairs& measure,
                   const HeldOutChoice& choice, Verification& result) {
    RangeVerifier verifier(config, cells, plan, measure, choice, result.variances);
    for (const Candidate& candidate : verifier.judged()) {
        for (const Trial& at : candidate.trial.at) {
            for (const TrialSize& size : at.sizes) {
                if (!size.jobs.empty()) {
                    result.proofs.push_back(proof_of(at, size, result.variances.of_sizes));
                }
            }
        }
        if (candidate.judgement.verdict == Verdict::holds) {
            result.rules.push_back(candidate.judgement.rule);
        }
        if (!candidate.judgement.note.empty()) {
            result.notes.push_back(candidate.judgement.note);
        }
    }
}

}  // namespace tuner

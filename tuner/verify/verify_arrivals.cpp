// SPDX-License-Identifier: MIT
#include "verify_arrivals.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "decide.hpp"
#include "units.hpp"

namespace tuner {

namespace {

const double least_log_ratio = std::log1p(-tolerated_loss_when_apart);

bool is_of(const Proof& proof, const Rule& rule) {
    return rule.network == proof.cell.network && rule.where.holds(proof.cell.layout) &&
           cell_at(rule, proof.cell.layout) == proof.cell && rule.algorithm == proof.algorithm &&
           proof.bytes >= rule.from_bytes && proof.bytes <= rule.to_bytes && !proof.is_same;
}

bool gains_less(const Proof* a, const Proof* b) {
    return a->ratio.ratio < b->ratio.ratio;
}

bool is_smaller(const Proof* a, const Proof* b) {
    return a->bytes < b->bytes;
}

// The pattern under which the rule's algorithm does worst
const std::pair<const std::string, models::Ratio>* worst_of(const Proof& proof) {
    const auto worst =
        std::min_element(proof.arrivals.begin(), proof.arrivals.end(),
                         [](const auto& a, const auto& b) { return a.second.ratio < b.second.ratio; });
    return worst == proof.arrivals.end() ? nullptr : &*worst;
}

bool loses_at(const Proof* proof) {
    const auto* worst = worst_of(*proof);
    return worst != nullptr && std::log(worst->second.ratio) < least_log_ratio;
}

class RuleApart {
  public:
    RuleApart(const Rule& rule, std::vector<Proof>& proofs) : rule_(rule), whole_(rule) {
        for (Proof& proof : proofs) {
            if (is_of(proof, rule)) {
                proofs_.push_back(&proof);
            }
        }
        choose();
    }

    const Rule& rule() const { return rule_; }
    const std::string& note() const { return note_; }
    bool is_dropped() const { return is_dropped_; }
    bool is_decided() const { return tested_ == nullptr; }
    const CellKey& cell() const { return tested_->cell; }

    void measure(const models::Arrival& arrival, std::size_t job, const MeasurePairs& measure) {
        PairRequest request = {tested_->cell, tested_->bytes, {default_algorithm, rule_.algorithm}};
        request.job = static_cast<int>(job);
        request.arrival = {arrival};
        request.shares_job = true;
        std::vector<models::JobRatio>& jobs = jobs_[models::to_string(arrival)];
        if (const auto ratio = ratio_of(measure(request), rule_.algorithm); ratio && jobs.size() == job) {
            jobs.push_back(*ratio);
        }
    }

    // Whether it seems to lose more than is tolerated
    bool is_in_doubt(const models::Arrival& arrival, const JobVariances& variances) const {
        const auto jobs = jobs_.find(models::to_string(arrival));
        return jobs != jobs_.end() && !jobs->second.empty() &&
               models::across_jobs(jobs->second, variances.of_sizes).log_ratio < least_log_ratio;
    }

    // After all jobs at this size: it holds there, is cut there, or is dropped
    void judge(const JobVariances& variances) {
        for (const auto& [arrival, jobs] : jobs_) {
            if (!jobs.empty()) {  // else refused, or the time is up
                const models::AcrossJobs all = models::across_jobs(jobs, variances.of_sizes);
                tested_->arrivals[arrival] = {std::exp(all.log_ratio), all.interval()};
            }
        }
        if (loses_at(tested_)) {
            lose();
        } else {
            holds_at_.insert(tested_);
            choose();
        }
    }

    // What another rule lost meanwhile, with the same algorithm at a size that is also of this one, is lost
    // here, too: where that rule was cut, this one would hold
    void judge_again() {
        if (is_decided() && !is_dropped_) {
            choose();
        }
    }

  private:
    // A known loss; the size where it gains least; then the smallest one, where an algorithm loses most if a
    // late rank has to pass messages on
    void choose() {
        jobs_.clear();
        tested_ = nullptr;
        if (const auto lost = std::find_if(proofs_.begin(), proofs_.end(), loses_at); lost != proofs_.end()) {
            tested_ = *lost;
            lose();
            return;
        }
        for (const auto& is_before : {gains_less, is_smaller}) {
            const auto first = std::min_element(proofs_.begin(), proofs_.end(), is_before);
            if (first != proofs_.end() && !holds_at_.contains(*first)) {
                tested_ = *first;
                return;
            }
        }
    }

    void lose() {
        const auto& [arrival, ratio] = *worst_of(*tested_);
        const std::string why = fmt::format("{:.0f}% slower than the default at {} on {} with arrival {}",
                                            100 * (1 / ratio.ratio - 1), bytes_text(tested_->bytes),
                                            to_string(tested_->cell.layout), arrival);
        if (cuts_ < most_cuts && cut()) {
            ++cuts_;
            note_ = fmt::format("{} was narrowed to {} to {}: {}", name_of(whole_),
                                bytes_text(rule_.from_bytes), bytes_text(rule_.to_bytes), why);
            choose();
        } else {
            note_ = name_of(whole_) + " was dropped: " + why;
            tested_ = nullptr;
            is_dropped_ = true;
        }
    }

    // Off the smaller side of the tested size, with this size: the rule begins or ends at the next proven
    // one. False: there is no other one.
    bool cut() {
        const auto is_below = [&](const Proof* proof) { return proof->bytes < tested_->bytes; };
        const auto is_above = [&](const Proof* proof) { return proof->bytes > tested_->bytes; };
        const auto [least, most] = std::minmax_element(proofs_.begin(), proofs_.end(), is_smaller);
        const double bytes = 1.0 + static_cast<double>(tested_->bytes);
        const double factor_below = bytes / (1.0 + static_cast<double>((*least)->bytes));
        const double factor_above = (1.0 + static_cast<double>((*most)->bytes)) / bytes;
        const bool keeps_above = factor_above >= factor_below;
        std::erase_if(proofs_,
                      [&](const Proof* proof) { return !(keeps_above ? is_above(proof) : is_below(proof)); });
        if (proofs_.empty()) {
            return false;
        }
        if (keeps_above) {
            rule_.from_bytes = (*std::min_element(proofs_.begin(), proofs_.end(), is_smaller))->bytes;
        } else {
            rule_.to_bytes = (*std::max_element(proofs_.begin(), proofs_.end(), is_smaller))->bytes;
        }
        return true;
    }

    Rule rule_;
    Rule whole_;
    std::vector<Proof*> proofs_;
    Proof* tested_ = nullptr;  // nullptr: it is decided
    std::set<const Proof*> holds_at_;
    std::map<std::string, std::vector<models::JobRatio>> jobs_;  // by pattern, at the tested size
    std::size_t cuts_ = 0;
    std::string note_;
    bool is_dropped_ = false;
};

// One layout after the other, so that rules share jobs
std::vector<RuleApart*> undecided(std::vector<RuleApart>& candidates) {
    std::vector<RuleApart*> found;
    for (RuleApart& candidate : candidates) {
        if (!candidate.is_decided()) {
            found.push_back(&candidate);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const RuleApart* a, const RuleApart* b) {
        return std::tie(a->cell().network, a->cell().layout) < std::tie(b->cell().network, b->cell().layout);
    });
    return found;
}

}  // namespace

void verify_arrivals(const Plan& plan, const MeasurePairs& measure, Verification& result) {
    std::vector<RuleApart> candidates;
    for (const Rule& rule : result.rules) {
        candidates.emplace_back(rule, result.proofs);
    }
    for (std::vector<RuleApart*> left = undecided(candidates); !left.empty(); left = undecided(candidates)) {
        for (std::size_t job = 0; job < jobs_with_arrivals; ++job) {
            for (RuleApart* candidate : left) {
                for (const models::Arrival& arrival : plan.arrivals) {
                    if (job == 0 || candidate->is_in_doubt(arrival, result.variances)) {
                        candidate->measure(arrival, job, measure);
                    }
                }
            }
        }
        for (RuleApart* candidate : left) {
            candidate->judge(result.variances);
        }
        for (RuleApart& candidate : candidates) {
            candidate.judge_again();
        }
    }
    result.rules.clear();
    for (const RuleApart& candidate : candidates) {
        if (!candidate.is_dropped()) {
            result.rules.push_back(candidate.rule());
        }
        if (!candidate.note().empty()) {
            result.notes.push_back(candidate.note());
        }
    }
}

}  // namespace tuner

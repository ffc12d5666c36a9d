// SPDX-License-Identifier: MIT
#include "sentinels.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "decide.hpp"
#include "rules_at.hpp"
#include "student.hpp"
#include "units.hpp"
#include "verified_sizes.hpp"

namespace tuner {

namespace {

constexpr double beyond = 1.5;       // a sentinel outside is so far from the end
constexpr double clear_gain = 1.15;  // outside, more than this is a changeover that moved

constexpr std::size_t jobs_of_a_look = 2;
constexpr std::size_t most_looks = 3;
// Chance of a false alarm, together 1%: by the mean of a rule, and by any of its sizes
constexpr double p_of_rule = 0.007;
constexpr double p_of_sizes = 0.003;
constexpr double suspicious = 20;    // times these p-values: worth another look
constexpr double least_loss = 0.03;  // a smaller change is nothing to act upon
constexpr double power = 0.8;        // of visible_loss
constexpr std::size_t sizes_without_proofs = 3;

// Was the rule's algorithm no faster than the default around this size when the run was measured?
bool lost_then(const Rule& rule, const Cell& cell, std::size_t bytes) {
    const auto above = cell.times.lower_bound(bytes);
    for (auto size : {above, above == cell.times.begin() ? above : std::prev(above)}) {
        if (size == cell.times.end()) {
            return false;
        }
        const auto tuned = size->second.find(rule.algorithm);
        const auto by_default = size->second.find(default_algorithm);
        if (tuned == size->second.end() || by_default == size->second.end() ||
            by_default->second.time.median_seconds > 1.02 * tuned->second.time.median_seconds) {
            return false;
        }
    }
    return true;
}

// Just outside of the rule, where its algorithm lost when sizes around were measured, and no other rule holds
std::vector<std::size_t> sizes_outside(const Config& config, const Rule& rule, const Cells& cells) {
    std::vector<std::size_t> sizes;
    const CellKey key = cell_of(rule);
    const auto cell = cells.find(key);
    if (cell == cells.end() || cell->second.times.empty()) {
        return sizes;
    }
    const std::size_t smallest = cell->second.times.begin()->first;
    const std::size_t largest = cell->second.times.rbegin()->first;
    for (const double bytes :
         {static_cast<double>(rule.from_bytes) / beyond, static_cast<double>(rule.to_bytes) * beyond}) {
        const std::size_t size = static_cast<std::size_t>(bytes) / size_granule * size_granule;
        if (size >= std::max(smallest, size_granule) && size <= largest &&
            lost_then(rule, cell->second, size) &&
            find_rule(config, rule.network, key.layout, rule.collective, size) == nullptr) {
            sizes.push_back(size);
        }
    }
    return sizes;
}

// What was verified: a logarithm of default / tuned with its standard error
struct Verified {
    double log_ratio = 0;
    double standard_error = 0;
};

Verified verified_by(const models::Ratio& ratio) {
    constexpr double width_of_95 = 2 * 2.1;  // in standard errors, for a few jobs
    return {std::log(ratio.ratio), std::log(ratio.interval.high / ratio.interval.low) / width_of_95};
}

// Now against then
struct Change {
    double log_ratio = 0;  // below zero: a loss
    double standard_error = 0;
    double degrees_of_freedom = 1;

    Change(const models::AcrossJobs& now, const Verified& then)
        : log_ratio(now.log_ratio - then.log_ratio),
          standard_error(std::hypot(now.standard_error, then.standard_error)),
          degrees_of_freedom(now.degrees_of_freedom) {}
    bool is_loss(double p) const {
        return log_ratio < std::log1p(-least_loss) &&
               models::student_upper_tail(-log_ratio / standard_error, degrees_of_freedom) < p;
    }
    double visible_loss(double p) const {
        return -std::expm1(-standard_error * (models::student_quantile(p, degrees_of_freedom) +
                                              models::student_quantile(1 - power, degrees_of_freedom)));
    }
};

// A rule, what was verified of it, and what new jobs say
class Recheck {
  public:
    Recheck(const Rule& rule, const std::vector<Proof>& proofs, const JobVariances& variances)
        : trial_{rule, {}},
          variances_(variances),
          then_(verified_by(
              {1 + rule.verified_gain, {1 + rule.verified_interval.low, 1 + rule.verified_interval.high}})) {
        trial_.has_rows = false;
        for (const Proof& proof : proofs) {
            if (proof.cell == cell_of(rule) && proof.algorithm == rule.algorithm && !proof.is_same &&
                proof.bytes >= rule.from_bytes && proof.bytes <= rule.to_bytes) {
                add(proof.bytes, verified_by(proof.ratio));
            }
        }
        if (trial_.sizes.empty()) {
            for (const std::size_t bytes : sizes_to_verify(rule, {}, sizes_without_proofs)) {
                add(bytes, then_);
            }
        }
    }

    void look(const MeasurePairs& measure) {
        for (std::size_t i = 0; i < jobs_of_a_look && !trial_.is_out_of_time; ++i) {
            run_job(trial_, measure, 1);
        }
    }
    bool is_measured() const { return trial_.jobs > 0 && !complete().empty(); }
    bool may_go_on() const { return !trial_.is_out_of_time; }

    Change of_rule() const {
        return {models::across_jobs(means_of_jobs(complete()), variances_.of_rules), then_};
    }
    bool is_stale(double factor) const {
        return of_rule().is_loss(factor * p_of_rule) ||
               std::any_of(trial_.sizes.begin(), trial_.sizes.end(), [&](const TrialSize& size) {
                   const double p = factor * p_of_sizes / static_cast<double>(trial_.sizes.size());
                   return trial_.is_complete(size) && of_size(size).is_loss(p);
               });
    }
    // In words: the rule, and its worst size
    std::string loss_text() const {
        const std::vector<const TrialSize*> sizes = complete();
        const TrialSize* worst = *std::min_element(
            sizes.begin(), sizes.end(),
            [&](const auto* x, const auto* y) { return of_size(*x).log_ratio < of_size(*y).log_ratio; });
        const models::AcrossJobs now = models::across_jobs(worst->jobs, variances_.of_sizes);
        const models::Interval interval = now.interval();
        return fmt::format(
            "{}: gains {:.0f}% now, {:.0f}% when verified; at {} bytes, default / tuned is {:.3g} "
            "(95%: {:.3g} to {:.3g}) in {} jobs, {:.3g} when verified",
            tuner::name_of(trial_.rule), 100 * std::expm1(of_rule().log_ratio + then_.log_ratio),
            100 * std::expm1(then_.log_ratio), bytes_text(worst->bytes), std::exp(now.log_ratio),
            interval.low, interval.high, now.jobs, std::exp(then_of(*worst).log_ratio));
    }

  private:
    void add(std::size_t bytes, const Verified& then) {
        trial_.sizes.push_back({bytes});
        then_of_sizes_.push_back(then);
    }
    std::vector<const TrialSize*> complete() const {
        std::vector<const TrialSize*> sizes;
        for (const TrialSize& size : trial_.sizes) {
            if (trial_.is_complete(size)) {
                sizes.push_back(&size);
            }
        }
        return sizes;
    }
    const Verified& then_of(const TrialSize& size) const {
        return then_of_sizes_[static_cast<std::size_t>(&size - trial_.sizes.data())];
    }
    Change of_size(const TrialSize& size) const {
        return {models::across_jobs(size.jobs, variances_.of_sizes), then_of(size)};
    }

    Trial trial_;
    JobVariances variances_;
    Verified then_;
    std::vector<Verified> then_of_sizes_;
};

// Outside of the rule; empty if its algorithm does not win there
std::string gain_outside(const Config& config, const Rule& rule, const Cells& cells,
                         const JobVariances& variances, const MeasurePairs& measure) {
    Trial trial = {rule, {}};
    for (const std::size_t bytes : sizes_outside(config, rule, cells)) {
        trial.sizes.push_back({bytes});
    }
    trial.has_rows = false;
    for (std::size_t i = 0; i < jobs_of_a_look && !trial.sizes.empty() && !trial.is_out_of_time; ++i) {
        run_job(trial, measure, 1);
    }
    for (const TrialSize& size : trial.sizes) {
        if (trial.jobs < jobs_of_a_look || !trial.is_complete(size)) {
            continue;
        }
        const models::AcrossJobs now = models::across_jobs(size.jobs, variances.of_sizes);
        const models::Interval interval = now.interval();
        if (interval.low > clear_gain) {
            return fmt::format(
                "{}: is now faster at {} bytes, too: default / tuned is {:.3g} (95%: {:.3g} to {:.3g})",
                name_of(rule), bytes_text(size.bytes), std::exp(now.log_ratio), interval.low, interval.high);
        }
    }
    return "";
}

}  // namespace

std::vector<Rule> rules_to_check(const Config& config, const std::vector<Proof>& proofs) {
    std::vector<Rule> rules;
    for (const std::string& network : networks_of(config)) {
        std::vector<Layout> layouts = layouts_of(config, network);
        for (const Proof& proof : proofs) {
            const auto is_same = [&](const Layout& l) { return is_same_place(l, proof.cell.layout); };
            if (proof.cell.network == network && std::none_of(layouts.begin(), layouts.end(), is_same)) {
                layouts.push_back(proof.cell.layout);
            }
        }
        for (const Layout& layout : layouts) {
            for (Rule& rule : rules_at(config, network, layout)) {
                rules.push_back(std::move(rule));
            }
        }
    }
    return rules;
}

CheckedRule check_rule(const Config& config, const Rule& rule, const Cells& cells,
                       const std::vector<Proof>& proofs, const JobVariances& variances,
                       const MeasurePairs& measure) {
    Recheck recheck(rule, proofs, variances);
    recheck.look(measure);
    if (!recheck.is_measured()) {  // once more: the job may have been killed
        recheck = Recheck(rule, proofs, variances);
        recheck.look(measure);
    }
    if (!recheck.is_measured()) {
        return {name_of(rule) + ": could not be measured", 0};
    }
    for (std::size_t look = 1; look < most_looks && recheck.is_stale(suspicious) && recheck.may_go_on();
         ++look) {
        recheck.look(measure);
    }
    CheckedRule checked = {"", recheck.of_rule().visible_loss(p_of_rule)};
    checked.stale_reason =
        recheck.is_stale(1) ? recheck.loss_text() : gain_outside(config, rule, cells, variances, measure);
    return checked;
}

}  // namespace tuner

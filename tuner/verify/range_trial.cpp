// SPDX-License-Identifier: MIT
#include "range_trial.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "units.hpp"

namespace tuner {

namespace {

// The sizes of one layout that the rule still holds for
struct Tested {
    const Trial* trial;
    Layout layout;
    std::vector<const TrialSize*> evidence;
    std::vector<models::JobRatio> jobs;  // means of the evidence
};

std::vector<Tested> tested(const RangeTrial& trial, const Rule& rule) {
    std::vector<Tested> all;
    for (const Trial& at : trial.at) {
        Tested here = {&at, *at.rule.where.single(), {}, {}};
        for (const TrialSize& size : at.sizes) {
            if (at.jobs > 0 && at.is_complete(size) && !size.is_same && size.bytes >= rule.from_bytes &&
                size.bytes <= rule.to_bytes) {
                here.evidence.push_back(&size);
            }
        }
        if (rule.where.holds(here.layout) && !here.evidence.empty()) {
            here.jobs = means_of_jobs(here.evidence);
            all.push_back(std::move(here));
        }
    }
    return all;
}

// Cuts the sizes at which the rule may be slower, if they are at its ends on that layout. False: nothing to
// cut
bool cut_sizes(Rule& rule, const std::vector<Tested>& all, const JobVariances& variances) {
    for (const Tested& here : all) {
        const auto is_bad = [&](const TrialSize* size) { return !is_sound(*here.trial, *size, variances); };
        const auto bad = std::find_if(here.evidence.begin(), here.evidence.end(), is_bad);
        if (bad == here.evidence.end() || here.evidence.size() == 1) {
            continue;
        }
        if (*bad == here.evidence.front()) {
            const auto good = std::find_if_not(here.evidence.begin(), here.evidence.end(), is_bad);
            if (good == here.evidence.end()) {
                continue;  // all of them: the layout fails
            }
            rule.from_bytes = (*good)->bytes;
        } else {
            rule.to_bytes = (*std::prev(bad))->bytes;
        }
        return true;
    }
    return false;
}

bool fails(const Tested& here, const JobVariances& variances, double least_log_gain) {
    return models::across_jobs(here.jobs, variances.of_rules).lowest_job <= least_log_gain ||
           std::any_of(here.evidence.begin(), here.evidence.end(),
                       [&](const TrialSize* size) { return !is_sound(*here.trial, *size, variances); });
}

// The range without the layout: of the ways to cut it, the one that keeps most of the others
std::optional<LayoutRange> without(const LayoutRange& range, const Layout& layout,
                                   const std::vector<Tested>& all) {
    std::optional<LayoutRange> best;
    std::ptrdiff_t most = 0;
    const auto count_kept = [&](const LayoutRange& cut) {
        return std::count_if(all.begin(), all.end(),
                             [&](const Tested& here) { return cut.holds(here.layout); });
    };
    const auto consider = [&](CountRange LayoutRange::*axis, int first, int last) {
        LayoutRange cut = range;
        cut.*axis = {std::max(first, (range.*axis).first), std::min(last, (range.*axis).last)};
        const auto kept = count_kept(cut);
        if ((cut.*axis).first <= (cut.*axis).last && kept > most) {
            best = cut;
            most = kept;
        }
    };
    consider(&LayoutRange::nodes, 1, layout.nodes - 1);
    consider(&LayoutRange::nodes, layout.nodes + 1, CountRange::no_last);
    consider(&LayoutRange::ppn, 1, layout.ppn - 1);
    consider(&LayoutRange::ppn, layout.ppn + 1, CountRange::no_last);
    const auto prefer = [&](const LayoutRange& cut) {
        const auto kept = count_kept(cut);
        if (kept > 0 && kept >= most && !cut.holds(layout)) {
            best = cut;
            most = kept;
        }
    };
    if (!range.mapping && layout.mapping == Mapping::round_robin) {
        LayoutRange block = range;
        block.mapping = Mapping::block;
        prefer(block);
    }
    if (range.uneven && !layout.is_even()) {
        LayoutRange full = range;
        full.uneven = false;
        prefer(full);
    }
    return best;
}

// A rule in one of the jobs on a layout
struct Turn {
    RangeTrial* of;
    Trial* trial;
    std::size_t job;  // of those of the rule on the layout
};

bool is_earlier(const Turn& a, const Turn& b) {
    const auto key = [](const Turn& turn) {
        return std::tuple(turn.job, turn.trial->rule.network, *turn.trial->rule.where.single());
    };
    return key(a) < key(b);
}

void add_turns(RangeTrial& trial, std::size_t jobs, std::vector<Turn>& turns) {
    std::vector<std::size_t> planned;
    for (const Trial& at : trial.at) {
        planned.push_back(at.jobs);
    }
    for (std::size_t count = trial.jobs(); count < jobs && !planned.empty(); ++count) {
        const auto next = std::min_element(planned.begin(), planned.end());
        turns.push_back({&trial, &trial.at[static_cast<std::size_t>(next - planned.begin())], (*next)++});
    }
}

Judgement dropped(const RangeTrial& trial, const std::string& why) {
    return {Verdict::dropped, trial.rule, name_of(trial.rule) + " was dropped: " + why};
}

Judgement kept(const RangeTrial& trial, Rule rule, const std::vector<Tested>& all,
               const models::AcrossJobs& gain) {
    const models::Interval interval = gain.interval();
    rule.verified_gain = std::expm1(gain.log_ratio);
    rule.verified_interval = {interval.low - 1, interval.high - 1};
    rule.tested_layouts = static_cast<int>(all.size());
    for (const Tested& here : all) {
        rule.tested_cells += static_cast<int>(here.evidence.size());
    }
    const bool is_whole = rule.where == trial.rule.where && rule.from_bytes == trial.rule.from_bytes &&
                          rule.to_bytes == trial.rule.to_bytes;
    const std::string note =
        is_whole ? ""
                 : fmt::format("{} was narrowed to {}, {} to {}: not verified outside", name_of(trial.rule),
                               to_string(rule.where), bytes_text(rule.from_bytes), bytes_text(rule.to_bytes));
    return {Verdict::holds, std::move(rule), note};
}

}  // namespace

std::size_t RangeTrial::jobs() const {
    std::size_t sum = 0;
    for (const Trial& trial : at) {
        sum += trial.jobs;
    }
    return sum;
}

bool RangeTrial::is_out_of_time() const {
    return std::any_of(at.begin(), at.end(), [](const Trial& trial) { return trial.is_out_of_time; });
}

RangeTrial range_trial(const Rule& rule, const std::vector<HeldOutLayout>& tests, bool has_rows) {
    RangeTrial trial = {rule, {}};
    for (const HeldOutLayout& test : tests) {
        Trial at;
        at.rule = rule;
        at.rule.where = LayoutRange::exactly(test.layout);
        at.shares_jobs = true;
        at.has_rows = has_rows;
        for (const std::size_t bytes : test.sizes) {
            at.sizes.push_back({bytes});
        }
        trial.at.push_back(std::move(at));
    }
    return trial;
}

void run_jobs(std::span<RangeTrial* const> trials, const MeasurePairs& measure, std::size_t jobs) {
    std::vector<Turn> turns;
    for (RangeTrial* trial : trials) {
        add_turns(*trial, jobs, turns);
    }
    std::stable_sort(turns.begin(), turns.end(), is_earlier);
    std::size_t number = 0;  // of the job
    for (auto first = turns.begin(); first != turns.end(); ++number) {
        const auto last =
            std::find_if(first, turns.end(), [&](const Turn& turn) { return is_earlier(*first, turn); });
        if (number % 2 == 1) {
            std::reverse(first,
                         last);  // to be the first one in a new job is not the same as to be the last one
        }
        for (; first != last; ++first) {
            if (!first->of->is_out_of_time()) {
                run_job(*first->trial, measure, 1);
            }
        }
    }
}

Judgement judge(const RangeTrial& trial, const JobVariances& variances, double min_gain, double p_limit,
                bool is_last) {
    if (trial.at.empty()) {
        return dropped(trial, "no layout is left to verify it at");
    }
    if (trial.jobs() < fewest_jobs) {
        return dropped(trial,
                       fmt::format("measured in {} of {} jobs: {}", trial.jobs(), fewest_jobs, not_measured));
    }
    const double least = std::log1p(min_gain);
    Rule rule = trial.rule;
    std::vector<Tested> all = tested(trial, rule);
    for (;;) {
        if (cut_sizes(rule, all, variances)) {
            if (!is_last) {
                return {};  // one job may be unlucky
            }
            all = tested(trial, rule);
            continue;
        }
        const auto bad = std::find_if(all.begin(), all.end(),
                                      [&](const Tested& here) { return fails(here, variances, least); });
        if (bad == all.end()) {
            break;
        }
        const std::optional<LayoutRange> rest = without(rule.where, bad->layout, all);
        if (rest && !is_last) {
            return {};
        }
        if (!rest) {
            return dropped(trial, fmt::format("no gain of more than {:.3g}% on {} when verified",
                                              100 * min_gain, to_string(bad->layout)));
        }
        rule.where = *rest;
        all = tested(trial, rule);
    }
    std::vector<models::JobRatio> jobs;
    for (const Tested& here : all) {
        jobs.insert(jobs.end(), here.jobs.begin(), here.jobs.end());
    }
    if (jobs.size() >= fewest_jobs) {
        const models::AcrossJobs gain = models::across_jobs(jobs, variances.of_rules);
        const double halves = 2;  // of the error: for the range as a whole, and for its parts
        if (halves * gain.p_not_above(0) < p_limit) {
            return kept(trial, rule, all, gain);
        }
    }
    return is_last ? dropped(trial, fmt::format("its gain is not beyond noise when verified in {} jobs",
                                                trial.jobs()))
                   : Judgement{};
}

}  // namespace tuner

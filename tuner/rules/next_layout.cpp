// SPDX-License-Identifier: MIT
#include "next_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "layout_grid.hpp"
#include "pair_questions.hpp"
#include "search.hpp"

namespace tuner {

namespace {

struct Candidate {
    Layout layout;
    models::CorrectedCase at;  // as far as the model's errors depend on it
    double weight = 0;         // of its jobs
    double loss = 0;           // sum over networks, collectives and sizes
    double seconds = 0;        // to measure all of them
    bool is_measured = false;
};

// E[max(0, x)] of a normal distribution
double expected_excess(double mean, double deviation) {
    if (deviation <= 0) {
        return std::max(0.0, mean);
    }
    const double z = mean / deviation;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    return deviation * density + mean * std::erfc(-z / std::numbers::sqrt2) / 2;
}

// What is expected to be lost at one size by choosing as rules for ranges do
double expected_loss(const std::vector<LayoutGain>& gains) {
    const RangeLimits limits;
    const LayoutGain* chosen = nullptr;  // nullptr: the library's own choice
    for (const LayoutGain& gain : gains) {
        const bool is_fine = !gain.is_own && gain.log_gain - limits.caution * gain.log_gain_error >
                                                 std::log1p(limits.min_gain);
        if (is_fine && (chosen == nullptr || gain.log_gain > chosen->log_gain)) {
            chosen = &gain;
        }
    }
    const double by_choice = chosen != nullptr ? chosen->log_gain : 0;
    const double error_of_choice = chosen != nullptr ? chosen->log_gain_error : 0;
    double loss = 0;
    for (const LayoutGain& gain : gains) {
        if (&gain != chosen) {
            const double error = std::max(gain.log_gain_error, error_of_choice);
            loss = std::max(loss, expected_excess(gain.log_gain - by_choice, error));
        }
    }
    return loss;
}

// In units in which what the model is off by changes about as much in each direction
double distance(double nodes, double ppn, const Layout& layout) {
    const models::CorrectionPrior prior;
    return std::hypot(std::log2(nodes / layout.nodes) / prior.nodes_length,
                      std::log2(ppn / layout.ppn) / prior.ppn_length);
}

// How much of what is not known of one layout is known when the other was measured
double likeness(const Candidate& a, const Candidate& b) {
    const double correlation = models::layout_correlation(a.at, b.at);
    return correlation * correlation;
}

bool is_usual(const Layout& layout) {
    return layout.is_even() && layout.mapping == Mapping::block;
}

std::vector<Candidate> candidates_of(const Cells& cells, const LayoutChoice& choice) {
    std::set<Layout> measured;
    for (const auto& [key, cell] : cells) {
        measured.insert(key.layout);
    }
    std::vector<Candidate> candidates;
    for (const CountStep& nodes : count_steps(choice.extent.nodes)) {
        for (const CountStep& ppn : count_steps(choice.extent.ppn)) {
            for (const LayoutKind& kind : LayoutGrid::kinds) {
                const Layout layout = kind.layout(nodes.typical(), ppn.typical());
                const bool is_of_kind = kind.is_usual() || (layout.nodes > 1 && layout.ppn > 1);
                if (is_of_kind && layout.ranks() > 1 && choice.extent.holds(layout) &&
                    layout.ranks() <=
                        (kind.is_usual() ? LayoutGrid::most_ranks : LayoutGrid::most_ranks_of_other_kind)) {
                    candidates.push_back({layout, models::corrected_case(0, placement_of(layout), 1),
                                          nodes.weight() * ppn.weight() * kind.weight, 0, 0,
                                          measured.contains(layout)});
                }
            }
        }
    }
    return candidates;
}

// Each job counts for the layout that is nearest to it, in blocks on full nodes
void weigh_by_jobs(std::vector<Candidate>& candidates, const std::vector<JobCount>& jobs) {
    for (Candidate& candidate : candidates) {
        candidate.weight = 0;
    }
    for (const JobCount& job : jobs) {
        const auto apart = [&](const Candidate& candidate) {
            return std::pair(!is_usual(candidate.layout), distance(job.nodes, job.ppn, candidate.layout));
        };
        std::min_element(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
            return apart(a) < apart(b);
        })->weight += job.jobs;
    }
}

// Of one collective and network. Returns how many sizes were looked at.
std::size_t add_losses(const LayoutGains& gains, const PlannedCollective& collective, const Plan& plan,
                       std::vector<Candidate>& candidates) {
    std::size_t looked_at = 0;
    const std::vector<std::size_t> sizes = grid_of(plan, collective);
    for (Candidate& candidate : candidates) {
        for (const std::size_t bytes : sizes) {
            const std::vector<LayoutGain> at = gains.at(collective.name, candidate.layout, bytes);
            candidate.loss += candidate.is_measured ? 0 : expected_loss(at);
            looked_at += !at.empty();
            for (const LayoutGain& gain : at) {
                candidate.seconds += plan.case_seconds + seconds_beyond_limit(gain.seconds);
            }
        }
    }
    return looked_at;
}

// The one with full nodes whose measuring tells most about all others. Of one that takes longer than there is
// time for, only a part is measured.
const Candidate* most_worth_it(const std::vector<Candidate>& candidates, const LayoutChoice& choice) {
    const Candidate* best = nullptr;
    double most = 0;
    for (const Candidate& candidate : candidates) {
        if (candidate.is_measured || !candidate.layout.is_even() ||
            (choice.can_start && !choice.can_start(candidate.layout))) {
            continue;
        }
        double worth = 0;
        for (const Candidate& other : candidates) {
            worth += other.weight * other.loss * likeness(candidate, other);
        }
        worth *= std::min(1.0, choice.seconds / candidate.seconds);
        if (best == nullptr || worth > most) {
            best = &candidate;
            most = worth;
        }
    }
    return best;
}

}  // namespace

NextLayout next_layout(const Cells& cells, const Shapes& shapes, const Plan& plan,
                       const LayoutChoice& choice) {
    std::vector<Candidate> candidates = candidates_of(cells, choice);
    if (!choice.jobs.empty() && !candidates.empty()) {
        weigh_by_jobs(candidates, choice.jobs);
    }
    std::size_t looked_at = 0;
    bool has_enough = true;
    for (const auto& [network, shape] : shapes) {
        std::optional<Prediction> prediction = Prediction::of(cells, network, shape);
        if (!prediction) {
            continue;
        }
        has_enough = has_enough && has_enough_layouts(cells, network);
        const LayoutGains gains(cells, network, *prediction);
        for (const PlannedCollective& collective : plan.collectives) {
            if (is_for_rules({network, {}, collective.name, collective.operation})) {
                looked_at += add_losses(gains, collective, plan, candidates);
            }
        }
    }
    if (looked_at == 0) {
        return {};
    }
    double loss = 0;
    double weight = 0;
    for (const Candidate& candidate : candidates) {
        loss += candidate.weight * candidate.loss;
        weight += candidate.weight;
    }
    const double sizes = static_cast<double>(looked_at) / static_cast<double>(candidates.size());
    NextLayout next = {loss / weight / sizes, {}, 0};
    const Candidate* best = most_worth_it(candidates, choice);
    if (best != nullptr && (*next.expected_loss > choice.loss_bound || !has_enough)) {
        next.layout = best->layout;
        next.seconds = best->seconds;
    }
    return next;
}

}  // namespace tuner

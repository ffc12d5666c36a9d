// SPDX-License-Identifier: MIT
#include "audit_rules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "audit_text.hpp"
#include "decide.hpp"
#include "pair_questions.hpp"
#include "units.hpp"
#include "verified_sizes.hpp"

namespace tuner {

namespace {

constexpr double wide_gap = 4;         // between two proven sizes
constexpr double longest_call = 0.05;  // seconds; of one of these, a job would take longer than the proof

using Place = std::pair<std::string, Layout>;

std::set<std::size_t> proven_sizes(const Rule& rule, const std::vector<Proof>& proofs) {
    std::set<std::size_t> sizes;
    for (const Proof& proof : proofs) {
        if (proof.cell == cell_of(rule) && proof.algorithm == rule.algorithm &&
            proof.bytes >= rule.from_bytes && proof.bytes <= rule.to_bytes) {
            sizes.insert(proof.bytes);
        }
    }
    return sizes;
}

// 0: they are all close to each other
std::size_t middle_of_widest_gap(const std::set<std::size_t>& sizes) {
    std::size_t middle = 0;
    double widest = wide_gap;
    for (auto low = sizes.begin(); low != sizes.end() && std::next(low) != sizes.end(); ++low) {
        const auto from = static_cast<double>(*low);
        const auto to = static_cast<double>(*std::next(low));
        if (from > 0 && to / from >= widest) {
            widest = to / from;
            middle = static_cast<std::size_t>(std::sqrt(from * to)) / size_granule * size_granule;
        }
    }
    return middle;
}

bool is_in(const Rule& rule, const AuditCase& audited) {
    return !is_predicted(rule) && cell_of(rule) == audited.cell && audited.bytes >= rule.from_bytes &&
           audited.bytes <= rule.to_bytes;
}

std::map<Place, std::vector<AuditCase>> cases_of_rules(const Cells& cells, const Verification& result) {
    std::vector<const Rule*> rules;
    for (const Rule& rule : result.rules) {
        if (!is_predicted(rule) && cells.contains(cell_of(rule))) {
            rules.push_back(&rule);
        }
    }
    std::stable_sort(rules.begin(), rules.end(),
                     [](const Rule* a, const Rule* b) { return a->verified_gain > b->verified_gain; });
    std::map<Place, std::vector<AuditCase>> places;
    for (const Rule* rule : rules) {
        const CellKey key = cell_of(*rule);
        std::vector<AuditCase>& place = places[{key.network, key.layout}];
        for (const AuditCase& audited : cases_of_rule(*rule, result.proofs, cells.at(key))) {
            if (place.size() < most_comparisons_of_place) {
                place.push_back(audited);
            }
        }
    }
    return places;
}

// The one job that all have: which calls seem to be slower than they should be
std::vector<AuditCase> in_doubt(std::vector<AuditCase> cases) {
    std::erase_if(cases, [](const AuditCase& audited) {
        return audited.jobs.empty() || audited.jobs.front().log_ratio < std::log1p(tolerated_violation);
    });
    for (AuditCase& audited : cases) {
        audited.jobs.clear();  // chosen by that job, they are judged by others
    }
    return cases;
}

// Without the cases of another place. False: it was stopped, or the time is up.
bool measure_place(const Place& place, std::vector<AuditCase> cases, const PairsAt& pairs_at,
                   const std::vector<Rule>& rules, std::vector<AuditCase>& measured) {
    std::vector<std::string> failed;  // what cannot be measured is no violation
    const MeasurePairs with_rules = pairs_at(place.first, place.second, &rules);
    if (!measure_audit(cases, with_rules, failed, {0, 1})) {
        return false;
    }
    cases = in_doubt(std::move(cases));
    if (cases.empty()) {
        return true;
    }
    if (!measure_audit(cases, with_rules, failed, {1, jobs_of_audit})) {
        return false;
    }
    std::vector<AuditCase> by_default = cases;
    for (AuditCase& audited : by_default) {
        audited.is_loaded = false;
        audited.rule.clear();
        audited.jobs.clear();
    }
    if (!measure_audit(by_default, pairs_at(place.first, place.second, nullptr), failed)) {
        return false;
    }
    for (auto* kind : {&by_default, &cases}) {
        std::move(kind->begin(), kind->end(), std::back_inserter(measured));
    }
    return true;
}

std::string violation_text(const AuditResult& violation) {
    const AuditCase& of = violation.of;
    return fmt::format(
        "with the rules, {} of {} on {} takes {:.2f} times as long ({:.2f} to {:.2f}) as {}, "
        "and without them it does not",
        of.cell.collective, bytes_text(of.bytes), to_string(of.cell.layout), violation.ratio.ratio,
        violation.ratio.interval.low, violation.ratio.interval.high, guideline_of(of).right_side);
}

// Leaves out what is between the proven sizes on both sides of it. False: it is proven there itself.
bool split(std::vector<Rule>& rules, std::vector<Rule>::iterator rule, const std::vector<Proof>& proofs,
           std::size_t bytes) {
    const std::set<std::size_t> sizes = proven_sizes(*rule, proofs);
    const auto above = sizes.upper_bound(bytes);
    if (sizes.contains(bytes) || above == sizes.begin() || above == sizes.end()) {
        return false;
    }
    Rule upper = *rule;
    rule->to_bytes = *std::prev(above);
    upper.from_bytes = *above;
    upper.from_interval = {static_cast<double>(upper.from_bytes), static_cast<double>(upper.from_bytes)};
    rules.insert(std::next(rule), std::move(upper));
    return true;
}

void apply(const AuditResult& violation, Verification& result) {
    const auto rule = std::find_if(result.rules.begin(), result.rules.end(),
                                   [&](const Rule& one) { return is_in(one, violation.of); });
    const std::string text = violation_text(violation);
    if (rule != result.rules.end()) {
        const std::string name = name_of(*rule);
        if (split(result.rules, rule, result.proofs, violation.of.bytes)) {
            result.notes.push_back(
                fmt::format("{} was narrowed around {}: {}", name, bytes_text(violation.of.bytes), text));
            return;
        }
    }
    result.notes.push_back(
        fmt::format("guideline: {}. The rules stay, as they are faster than the default", text));
}

}  // namespace

std::vector<AuditCase> cases_of_rule(const Rule& rule, const std::vector<Proof>& proofs, const Cell& cell) {
    const CellKey key = cell_of(rule);
    const std::set<std::size_t> proven = proven_sizes(rule, proofs);
    std::set<std::size_t> sizes;
    if (!proven.empty()) {
        sizes = {*proven.begin(), *proven.rbegin()};
    }
    if (const std::size_t middle = middle_of_widest_gap(proven); middle > 0) {
        sizes.insert(middle);
    }
    const std::size_t below = rule.from_bytes / 2 / size_granule * size_granule;
    std::vector<AuditCase> cases;
    for (const models::Guideline& guideline : models::guidelines_of(key.collective)) {
        const bool is_monotony = guideline.kind == models::GuidelineKind::monotony;
        if (!is_monotony && guideline.kind != models::GuidelineKind::pattern) {
            continue;
        }
        if (is_monotony && below > 0) {
            cases.push_back({key, below, std::string(guideline.mock_up), true});
        }
        for (const std::size_t bytes : sizes) {
            cases.push_back({key, bytes, std::string(guideline.mock_up), true, rule.algorithm});
        }
    }
    std::erase_if(cases, [&](const AuditCase& audited) {
        return audited.bytes > 0 && slowest_call(cell, audited.bytes) > longest_call;
    });
    return cases;
}

void audit_rules(const Cells& cells, const PairsAt& pairs_at, Verification& result) {
    std::vector<AuditCase> measured;
    for (auto& [place, cases] : cases_of_rules(cells, result)) {
        if (!measure_place(place, std::move(cases), pairs_at, result.rules, measured)) {
            result.notes.push_back(
                "guidelines: not all rules were audited, as the time limit was reached or a job did not "
                "start");
            break;
        }
    }
    std::vector<AuditResult> results = judge_audit(measured);
    for (const AuditResult& violation : results) {
        if (violation.is_new || violation.is_outpaced) {
            apply(violation, result);
        }
    }
}

}  // namespace tuner

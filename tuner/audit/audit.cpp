// SPDX-License-Identifier: MIT
#include "audit.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tuner {

namespace {

auto comparison_of(const AuditCase& c) {
    return std::tie(c.cell, c.mock_up, c.bytes);
}

// Is what should not be slower the same as without rules? Of the collective, there is none; of its mock-up (a
// persistent call), there never is one. The other side must be something that rules can make faster.
bool is_left_side_without_rule(const AuditCase& c) {
    using enum models::GuidelineKind;
    const models::Guideline row = guideline_of(c);
    if (row.is_reversed) {
        return !c.rule.empty();
    }
    return c.rule.empty() && (row.kind == pattern || row.kind == monotony || row.kind == split);
}

// What is violated here and just not there is no difference
bool is_above(const AuditResult& a, const AuditResult& b) {
    return a.ratio.interval.low > b.ratio.interval.high;
}

// All cases with the rules, or all without them: what jobs differ by is known from all of them together
void judge_alike(const std::vector<const AuditCase*>& cases, std::vector<AuditResult>& results) {
    models::BetweenJobs between;
    for (const AuditCase* c : cases) {
        between.add(c->jobs);
    }
    const models::JobVariance variance = between.variance();
    std::vector<double> p_values;
    const std::size_t first = results.size();
    for (const AuditCase* c : cases) {
        const models::AcrossJobs all = models::across_jobs(c->jobs, variance);
        results.push_back({*c, {std::exp(all.log_ratio), all.interval()}});
        p_values.push_back(all.p_not_above(0));
    }
    p_values = models::holm_adjusted(p_values);
    for (std::size_t i = 0; i < p_values.size(); ++i) {
        AuditResult& result = results[first + i];
        result.p = p_values[i];
        result.is_violated = result.p < error_rate_of_audit && result.ratio.ratio > 1 + tolerated_violation;
    }
}

}  // namespace

models::Guideline guideline_of(const AuditCase& audited) {
    for (const models::Guideline& row : models::guidelines_of(audited.cell.collective)) {
        if (row.mock_up == audited.mock_up) {
            return row;
        }
    }
    return {"", audited.mock_up, audited.mock_up, models::GuidelineKind::pattern, ""};
}

std::vector<AuditResult> judge_audit(const std::vector<AuditCase>& cases) {
    std::vector<AuditResult> results;
    for (const bool is_loaded : {false, true}) {
        std::vector<const AuditCase*> alike;
        for (const AuditCase& c : cases) {
            if (c.is_loaded == is_loaded && c.jobs.size() >= jobs_of_audit) {
                alike.push_back(&c);
            }
        }
        judge_alike(alike, results);
    }
    std::stable_sort(results.begin(), results.end(), [](const AuditResult& a, const AuditResult& b) {
        return comparison_of(a.of) < comparison_of(b.of);
    });
    for (std::size_t i = 1; i < results.size(); ++i) {
        AuditResult& by_default = results[i - 1];
        AuditResult& with_rules = results[i];
        if (comparison_of(by_default.of) == comparison_of(with_rules.of)) {
            const bool is_changed =
                with_rules.is_violated && !by_default.is_violated && is_above(with_rules, by_default);
            with_rules.is_outpaced = is_changed && is_left_side_without_rule(with_rules.of);
            with_rules.is_new = is_changed && !with_rules.is_outpaced;
            by_default.is_removed =
                by_default.is_violated && !with_rules.is_violated && is_above(by_default, with_rules);
        }
    }
    return results;
}

}  // namespace tuner

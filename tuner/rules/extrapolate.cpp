// SPDX-License-Identifier: MIT
#include "extrapolate.hpp"

#include <cmath>

namespace tuner {

namespace {

// Times of both algorithms at the sizes where both were measured
struct Measured {
    std::vector<models::MeasuredSize> rule;
    std::vector<models::MeasuredSize> other;
};

Measured measured_of(const Cell& cell, const std::string& algorithm, const std::string& other) {
    Measured measured;
    for (const auto& [bytes, times] : cell.times) {
        const CellTime* a = time_of(times, algorithm);
        const CellTime* b = time_of(times, other);
        if (bytes > 0 && a && b) {
            measured.rule.push_back(a->time);
            measured.other.push_back(b->time);
        }
    }
    return measured;
}

}  // namespace

std::optional<Rule> rule_beyond(const Rule& rule, const Cell& cell, Prediction& prediction) {
    const auto largest = cell.times.rbegin();
    if (largest == cell.times.rend() || rule.to_bytes != largest->first ||
        !largest->second.contains(default_algorithm)) {
        return std::nullopt;
    }
    const std::string& used = largest->second.at(default_algorithm).used;
    const Measured measured = measured_of(cell, rule.algorithm, used);
    const auto curve = [&](const std::string& algorithm) {
        return [&prediction, &rule, algorithm](double bytes) {
            return prediction
                .seconds(rule.collective, algorithm, rule.layout, static_cast<std::size_t>(bytes))
                .value_or(0);
        };
    };
    const models::Curve of_rule = curve(rule.algorithm);
    const models::Curve of_other = curve(used);
    const auto from = static_cast<double>(rule.to_bytes);
    if (measured.rule.size() < 2 || of_rule(from) <= 0 || of_other(from) <= 0) {
        return std::nullopt;
    }
    double to = model_distance * from;
    while (to > from && of_other(to) > longest_call_seconds) {
        to /= 2;
    }
    if (to <= from) {
        return std::nullopt;
    }
    const models::SizeRange first =
        models::combined_changeover(of_rule, of_other, measured.rule, measured.other, from, to)
            .ranges.front();
    if (first.better != models::Better::a || first.to_bytes <= from) {
        return std::nullopt;
    }
    Rule beyond = rule;
    beyond.from_bytes = rule.to_bytes + 1;
    beyond.to_bytes = static_cast<std::size_t>(first.to_bytes);
    beyond.from_interval = {from, from};
    const auto modelled_ratio = [&](double bytes) { return of_other(bytes) / of_rule(bytes); };
    const double level = measured.other.back().median_seconds / measured.rule.back().median_seconds /
                         modelled_ratio(measured.rule.back().bytes);
    beyond.expected_gain = level * modelled_ratio(first.to_bytes) - 1;
    beyond.worst_loss = 0;
    beyond.basis = "model";
    return beyond;
}

}  // namespace tuner

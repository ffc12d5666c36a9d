// SPDX-License-Identifier: MIT
#include "extrapolate.hpp"

#include <cmath>
#include <functional>

namespace tuner {

namespace {

// Times of the rule's algorithm and of the one that it replaces, at the sizes where both were measured
struct TimesOfBoth {
    std::vector<models::MeasuredSize> rule;
    std::vector<models::MeasuredSize> replaced;
};

// A model that was fitted to few times may have none for small sizes: these are left out
TimesOfBoth times_of_both(const Cell& cell, const std::string& algorithm, const std::string& replaced,
                          const std::function<bool(std::size_t bytes)>& are_modelled) {
    TimesOfBoth both;
    for (const auto& [bytes, times] : cell.times) {
        const CellTime* a = time_of(times, algorithm);
        const CellTime* b = time_of(times, replaced);
        if (bytes > 0 && a && b && are_modelled(bytes)) {
            both.rule.push_back(a->time);
            both.replaced.push_back(b->time);
        }
    }
    return both;
}

// 0 where there is no model. Of a rule of one layout.
models::Curve curve_of(Prediction& prediction, const Rule& rule, const std::string& algorithm) {
    return [&prediction, &rule, layout = rule.where.single().value(), algorithm](double bytes) {
        return prediction.seconds(rule.collective, algorithm, layout, models::last_size_before(bytes))
            .value_or(0);
    };
}

// The largest size to ask the model for; `from` if calls are too long already
std::size_t end_of_model(std::size_t from, const models::Curve& replaced) {
    std::size_t to = model_distance * from;
    while (to > from && replaced(static_cast<double>(to)) > longest_call_seconds) {
        to /= 2;
    }
    return std::max(to, from);
}

}  // namespace

std::optional<Rule> rule_beyond(const Rule& rule, const Cell& cell, Prediction& prediction) {
    const auto largest = cell.times.rbegin();
    if (largest == cell.times.rend() || rule.to_bytes != largest->first ||
        !largest->second.contains(default_algorithm)) {
        return std::nullopt;
    }
    const std::string& used = largest->second.at(default_algorithm).used;
    const models::Curve of_rule = curve_of(prediction, rule, rule.algorithm);
    const models::Curve of_replaced = curve_of(prediction, rule, used);
    const auto are_modelled = [&](std::size_t bytes) {
        const auto size = static_cast<double>(bytes);
        return of_rule(size) > 0 && of_replaced(size) > 0;
    };
    const TimesOfBoth both = times_of_both(cell, rule.algorithm, used, are_modelled);
    const auto modelled_gain = [&](double bytes) { return of_replaced(bytes) / of_rule(bytes); };
    const std::size_t from = rule.to_bytes;
    const auto start = static_cast<double>(from);
    if (both.rule.size() < 2 || !are_modelled(from)) {
        return std::nullopt;
    }
    const std::size_t to = end_of_model(from, of_replaced);
    if (to <= from || !are_modelled(to)) {
        return std::nullopt;
    }
    const models::SizeRange first =
        models::combined_changeover(of_rule, of_replaced, both.rule, both.replaced, from, to).front();
    if (first.better != models::Better::a || models::last_size_before(first.to_bytes) <= from) {
        return std::nullopt;
    }
    Rule beyond = rule;
    beyond.from_bytes = rule.to_bytes + 1;
    beyond.to_bytes = models::last_size_before(first.to_bytes);
    beyond.from_interval = {start, start};
    const double level = both.replaced.back().median_seconds / both.rule.back().median_seconds /
                         modelled_gain(static_cast<double>(both.rule.back().bytes));
    beyond.expected_gain = level * modelled_gain(first.to_bytes) - 1;
    beyond.worst_loss = 0;
    beyond.basis = "model";
    return beyond;
}

}  // namespace tuner

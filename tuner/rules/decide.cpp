// SPDX-License-Identifier: MIT
#include "decide.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "decision.hpp"
#include "extrapolate.hpp"

namespace tuner {

namespace {

// Rules are for built-in operations, measured with this one. What is measured with others is for people:
// MPICH can tell built-in operations from others in a rule, but not how costly the user's function is.
const std::string built_in_example = "sum";

constexpr std::size_t smallest_of_all = 8;  // rules that start here start at 0

// The default where nothing is surely better: its time counts as the best one there, so that it is taken.
// That is also so where the best algorithm is the one that the default itself uses.
models::MeasuredSize time_of_default(const Times& times) {
    const CellTime& own = times.at(default_algorithm);
    const auto best = std::min_element(times.begin(), times.end(), [](const auto& x, const auto& y) {
        return x.second.time.median_seconds < y.second.time.median_seconds;
    });
    const bool is_better_for_sure = best->second.time.interval.high < own.time.interval.low;
    return is_better_for_sure && best->first != own.used ? own.time : best->second.time;
}

struct Measured {
    std::vector<double> sizes;
    std::vector<const Times*> times;            // by size
    std::vector<models::Candidate> candidates;  // the default first
};

Measured candidates_of(const Cell& cell) {
    Measured measured;
    std::set<std::string> names;
    for (const auto& [bytes, times] : cell.times) {
        if (times.contains(default_algorithm) && bytes > 0) {
            measured.sizes.push_back(static_cast<double>(bytes));
            measured.times.push_back(&times);
            for (const auto& [name, time] : times) {
                names.insert(name);
            }
        }
    }
    names.erase(default_algorithm);
    measured.candidates.push_back({default_algorithm, {}});
    for (const auto* times : measured.times) {
        measured.candidates[0].times.emplace_back(time_of_default(*times));
    }
    for (const std::string& name : names) {
        measured.candidates.push_back({name, {}});
        for (const auto* times : measured.times) {
            const auto found = times->find(name);
            measured.candidates.back().times.push_back(
                found == times->end() ? std::nullopt : std::optional(found->second.time));
        }
    }
    return measured;
}

}  // namespace

CellKey cell_of(const Rule& rule) {
    return {rule.network, rule.layout, rule.collective, rule.operation.empty() ? "" : built_in_example};
}

std::vector<Rule> rules_of(const CellKey& key, const Cell& cell, double loss_bound) {
    const Measured measured = candidates_of(cell);
    const bool has_rules = key.operation.empty() || key.operation == built_in_example;
    if (measured.sizes.empty() || !has_rules) {
        return {};
    }
    std::vector<Rule> rules;
    for (const models::DecidedRange& range :
         models::decide(measured.candidates, measured.sizes, 0, loss_bound)) {
        if (range.candidate == 0) {
            continue;
        }
        const std::string& algorithm = measured.candidates[range.candidate].name;
        Rule rule;
        rule.network = key.network;
        rule.layout = key.layout;
        rule.collective = key.collective;
        rule.operation = key.operation.empty() ? "" : built_in_operation;
        rule.algorithm = algorithm;
        const auto first_size = static_cast<std::size_t>(measured.sizes[range.first]);
        const auto last_size = static_cast<std::size_t>(measured.sizes[range.last]);
        const bool is_first = range.first == 0;
        const bool is_last = range.last + 1 == measured.sizes.size();
        rule.from_bytes = is_first ? (first_size <= smallest_of_all ? 0 : first_size)
                                   : static_cast<std::size_t>(std::floor(range.from_bytes)) + 1;
        rule.to_bytes = is_last ? last_size : static_cast<std::size_t>(std::floor(range.to_bytes));
        rule.from_interval =
            is_first ? models::Interval{static_cast<double>(rule.from_bytes), static_cast<double>(first_size)}
                     : range.from_interval;
        rule.worst_loss = range.worst_loss;
        double sum_of_logs = 0;
        for (std::size_t i = range.first; i <= range.last; ++i) {
            const auto& times = *measured.times[i];
            sum_of_logs += std::log(times.at(default_algorithm).time.median_seconds /
                                    times.at(algorithm).time.median_seconds);
        }
        rule.expected_gain = std::expm1(sum_of_logs / static_cast<double>(range.last - range.first + 1));
        rule.basis = "measured";
        rules.push_back(rule);
    }
    return rules;
}

std::string to_string(const ChosenRange& range) {
    const bool says_more = range.algorithm == default_algorithm && !range.used.empty();
    return says_more ? fmt::format("default ({})", fmt::join(range.used, ", ")) : range.algorithm;
}

std::vector<ChosenRange> ranges_of(const Cell& cell, double loss_bound) {
    const Measured measured = candidates_of(cell);
    std::vector<ChosenRange> chosen;
    if (measured.sizes.empty()) {
        return chosen;
    }
    for (const models::DecidedRange& range :
         models::decide(measured.candidates, measured.sizes, 0, loss_bound)) {
        const std::string& algorithm = measured.candidates[range.candidate].name;
        std::vector<std::string> used;
        for (std::size_t i = range.first; i <= range.last; ++i) {
            const std::string& name = measured.times[i]->at(algorithm).used;
            if (!name.empty() && std::find(used.begin(), used.end(), name) == used.end()) {
                used.push_back(name);
            }
        }
        chosen.push_back({algorithm, std::move(used), range.from_bytes, range.from_interval});
    }
    return chosen;
}

Config decide(const Cells& cells, double loss_bound) {
    Config config;
    std::map<std::string, std::optional<Prediction>> predictions;  // by network, as they are needed
    for (const auto& [key, cell] : cells) {
        std::vector<Rule> rules = rules_of(key, cell, loss_bound);
        if (!rules.empty() && !predictions.contains(key.network)) {
            predictions.emplace(key.network, Prediction::of(cells, key.network));
        }
        if (!rules.empty() && predictions.at(key.network)) {
            if (const auto beyond = rule_beyond(rules.back(), cell, *predictions.at(key.network))) {
                rules.push_back(*beyond);
            }
        }
        std::move(rules.begin(), rules.end(), std::back_inserter(config.rules));
    }
    return config;
}

}  // namespace tuner

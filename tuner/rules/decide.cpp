// SPDX-License-Identifier: MIT
#include "decide.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "decision.hpp"
#include "extrapolate.hpp"
#include "small_gaps.hpp"

namespace tuner {

namespace {

constexpr std::size_t smallest_of_all = 8;  // rules that start here start at 0

// What was measured of a cell, as models::decide wants it
struct Candidates {
    std::vector<std::size_t> sizes;
    std::vector<const Times*> times;         // by size
    std::vector<models::Candidate> of_cell;  // the default first

    const std::string& name(const models::DecidedRange& range) const { return of_cell[range.candidate].name; }
    std::vector<models::DecidedRange> decide(double loss_bound) const {
        return sizes.empty() ? std::vector<models::DecidedRange>{}
                             : models::decide(of_cell, sizes, 0, loss_bound);
    }
};

// What left a race is known to be slower than the fastest one, though its few repetitions may not show it
bool has_left_race(const CellTime& time, const Times& times) {
    constexpr double fewer = 1.5;  // a start that was late makes some difference, too
    return time.is_decided && std::any_of(times.begin(), times.end(), [&](const auto& other) {
               return static_cast<double>(other.second.samples) > fewer * static_cast<double>(time.samples);
           });
}

Candidates candidates_of(const Cell& cell) {
    Candidates all;
    std::set<std::string> names;
    for (const auto& [bytes, times] : cell.times) {
        if (times.contains(default_algorithm) && bytes > 0) {
            all.sizes.push_back(bytes);
            all.times.push_back(&times);
            for (const auto& [name, time] : times) {
                names.insert(name);
            }
        }
    }
    names.erase(default_algorithm);
    all.of_cell.push_back({default_algorithm, {}});
    for (const Times* times : all.times) {
        const CellTime& own = times->at(default_algorithm);
        all.of_cell[0].times.emplace_back(time_against_default(default_algorithm, own, own));
    }
    for (const std::string& name : names) {
        all.of_cell.push_back({name, {}});
        for (const Times* times : all.times) {
            const auto found = times->find(name);
            auto& time = all.of_cell.back().times.emplace_back();
            if (found != times->end()) {
                time = time_against_default(name, found->second, times->at(default_algorithm));
                if (has_left_race(found->second, *times)) {
                    time->interval.low = time->median_seconds;
                }
            }
        }
    }
    return all;
}

// Geometric mean of default / algorithm over the measured sizes of the range, - 1
double expected_gain(const Candidates& all, const models::DecidedRange& range) {
    double sum_of_logs = 0;
    for (std::size_t i = range.first; i <= range.last; ++i) {
        sum_of_logs += std::log(all.of_cell[0].times[i]->median_seconds /
                                all.of_cell[range.candidate].times[i]->median_seconds);
    }
    return std::expm1(sum_of_logs / static_cast<double>(range.last - range.first + 1));
}

// Other results than the default's at any measured size of the range; nothing: not known at one
std::optional<bool> changes_bits(const Candidates& all, const models::DecidedRange& range) {
    bool changes = false;
    for (std::size_t i = range.first; i <= range.last; ++i) {
        const auto found = all.times[i]->find(all.name(range));
        const std::string& own = all.times[i]->at(default_algorithm).bits.bits;
        if (found == all.times[i]->end() || found->second.bits.bits.empty() || own.empty()) {
            return std::nullopt;
        }
        changes = changes || found->second.bits.bits != own;
    }
    return changes;
}

// How far a rule goes beyond its outermost measured size, to the one next to it, where the default is good
// enough
enum class Reach { stays, up_to_next, with_next };

// If the rule's algorithm is known not to be slower than the default at the next size, it is not slower in
// between either. If the default runs another algorithm there, it switches in between, and the rule starts as
// the default leaves its good algorithm; the rule's own must not be slower there as far as is known.
Reach reach(const Candidates& all, std::size_t candidate, std::size_t inside, std::size_t next) {
    const auto used = [&](std::size_t i) { return all.times[i]->at(default_algorithm).used; };
    const auto& time = all.of_cell[candidate].times[next];
    const double by_default = all.of_cell[0].times[next]->median_seconds;
    if (time && time->interval.high < by_default) {
        return Reach::with_next;
    }
    return used(next) != used(inside) && time && time->interval.low <= by_default ? Reach::up_to_next
                                                                                  : Reach::stays;
}

// The range at `position`. Next to the default it ends at a measured size, or as the default switches:
// between that and the last size of the default nothing speaks for it.
Rule rule_of(const CellKey& key, const Candidates& all, const std::vector<models::DecidedRange>& ranges,
             std::size_t position) {
    const models::DecidedRange& range = ranges[position];
    const auto is_default = [&](std::size_t i) { return i < ranges.size() && ranges[i].candidate == 0; };
    Rule rule;
    rule.network = key.network;
    rule.where = LayoutRange::exactly(key.layout);
    rule.collective = key.collective;
    rule.operation = key.operation.empty() ? "" : built_in_operation;
    rule.algorithm = all.name(range);
    // Nothing is known beyond the first and the last measured size
    rule.from_bytes = range.from_bytes;
    rule.to_bytes = std::min(range.to_bytes, all.sizes.back());
    if (position > 0 && is_default(position - 1)) {
        const Reach down = reach(all, range.candidate, range.first, range.first - 1);
        rule.from_bytes = down == Reach::stays ? all.sizes[range.first]
                                               : all.sizes[range.first - 1] + (down == Reach::up_to_next);
    }
    if (is_default(position + 1)) {
        const Reach up = reach(all, range.candidate, range.last, range.last + 1);
        rule.to_bytes = up == Reach::stays ? all.sizes[range.last]
                                           : all.sizes[range.last + 1] - (up == Reach::up_to_next);
    }
    rule.from_interval = range.from_interval;
    if (range.first == 0) {
        const std::size_t smallest = all.sizes.front();
        rule.from_bytes = smallest <= smallest_of_all ? 0 : smallest;
        rule.from_interval = {static_cast<double>(rule.from_bytes), static_cast<double>(smallest)};
    }
    rule.expected_gain = expected_gain(all, range);
    rule.worst_loss = range.worst_loss;
    rule.basis = "measured";
    rule.changes_bits = changes_bits(all, range);
    return rule;
}

}  // namespace

models::MeasuredSize time_against_default(const std::string& algorithm, const CellTime& time,
                                          const CellTime& own) {
    const double median = own.time.median_seconds;
    if (algorithm == default_algorithm || algorithm == own.used) {
        return {own.time.bytes, median, {median, median}};
    }
    const models::Ratio gain = time.gain
                                   ? *time.gain
                                   : models::ratio_of_medians(median, own.time.interval,
                                                              time.time.median_seconds, time.time.interval);
    return {own.time.bytes,
            median / gain.ratio,
            {median / gain.interval.high, median / std::max(gain.interval.low, 0.0)}};
}

CellKey cell_of(const Rule& rule) {
    const std::optional<Layout> layout = rule.where.single();
    if (!layout) {
        throw std::logic_error("a rule for several layouts has no cell of its own");
    }
    return cell_at(rule, *layout);
}

CellKey cell_at(const Rule& rule, const Layout& layout) {
    return {rule.network, layout, rule.collective, rule.operation.empty() ? "" : operation_of_rules};
}

std::vector<Rule> rules_of(const CellKey& key, const Cell& cell, double loss_bound) {
    std::vector<Rule> rules;
    if (!is_for_rules(key)) {
        return rules;
    }
    const Candidates all = candidates_of(cell);
    const std::vector<models::DecidedRange> ranges = all.decide(loss_bound);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (all.name(ranges[i]) == default_algorithm) {
            continue;
        }
        // Nothing is left of a range if the next one takes over at the size up to which the default reaches
        if (Rule rule = rule_of(key, all, ranges, i); rule.from_bytes <= rule.to_bytes) {
            rules.push_back(std::move(rule));
        }
    }
    return rules;
}

std::string to_string(const ChosenRange& range) {
    const bool says_more = range.algorithm == default_algorithm && !range.used.empty();
    return says_more ? fmt::format("default ({})", fmt::join(range.used, ", ")) : range.algorithm;
}

std::vector<ChosenRange> ranges_of(const Cell& cell, double loss_bound) {
    const Candidates all = candidates_of(cell);
    std::vector<ChosenRange> chosen;
    for (const models::DecidedRange& range : all.decide(loss_bound)) {
        std::vector<std::string> used;
        for (std::size_t i = range.first; i <= range.last; ++i) {
            const std::string& name = all.times[i]->at(all.name(range)).used;
            if (!name.empty() && std::find(used.begin(), used.end(), name) == used.end()) {
                used.push_back(name);
            }
        }
        chosen.push_back({all.name(range), std::move(used), range.changeover_bytes, range.from_interval});
    }
    return chosen;
}

Config decide(const Cells& cells, double loss_bound, const Shapes& shapes, std::optional<Extent> extent) {
    Config config;
    std::map<std::string, std::optional<Prediction>> predictions;  // by network, as they are needed
    const auto prediction_of = [&](const std::string& network) -> std::optional<Prediction>& {
        const auto found = predictions.find(network);
        return found != predictions.end()
                   ? found->second
                   : predictions.emplace(network, Prediction::of(cells, network, shapes.at(network)))
                         .first->second;
    };
    std::set<std::string> networks;
    for (const auto& [key, cell] : cells) {
        networks.insert(key.network);
        std::vector<Rule> rules = rules_of(key, cell, loss_bound);
        if (!rules.empty() && prediction_of(key.network)) {
            if (const auto beyond = rule_beyond(rules.back(), cell, *prediction_of(key.network))) {
                rules.push_back(*beyond);
            }
        }
        rules = close_small_gaps(std::move(rules), key, cell, loss_bound);
        std::move(rules.begin(), rules.end(), std::back_inserter(config.rules));
    }
    const std::vector<Rule> measured = config.rules;
    for (const std::string& network : extent ? networks : std::set<std::string>{}) {
        if (has_enough_layouts(cells, network) && prediction_of(network)) {
            const LayoutGains gains(cells, network, *prediction_of(network));
            std::vector<Rule> rules = range_rules(cells, network, gains, measured, *extent);
            std::move(rules.begin(), rules.end(), std::back_inserter(config.rules));
        }
    }
    return config;
}

}  // namespace tuner

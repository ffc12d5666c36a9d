// SPDX-License-Identifier: MIT
// Thresholds for one layout. The library's choice is a ladder of algorithms; the thresholds are put where
// each size gets what its rule says, or else what the library uses by default, but never anything else.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "command.hpp"
#include "emit.hpp"
#include "quoting.hpp"
#include "rules_at.hpp"
#include "thresholds.hpp"

namespace tuner {

namespace {

constexpr std::size_t largest_threshold = std::numeric_limits<int>::max();  // that a threshold can be
constexpr double smallest_weight = 1e-6;  // a rule is followed even if its gain is not known

// Sizes for which neither the rule nor the library's default changes
struct UniformSizes {
    std::size_t from_bytes;
    std::size_t to_bytes;
    std::string wanted;
    std::string by_default;
    double weight;  // what is lost without the rule: gain, for each doubling of the size
};

using Values = std::map<const models::MpichThreshold*, int>;  // that are not at their default

std::vector<UniformSizes> segments_of(const Config& config, const std::string& network, const Layout& layout,
                                      const std::string& collective, const Ladder& defaults) {
    std::set<std::size_t> starts = {1};  // empty messages are never sent
    for (const int threshold : defaults.defaults()) {
        starts.insert(defaults.last_bytes(threshold) + 1);
    }
    for (const Rule& rule : rules_at(config, network, layout, collective)) {
        starts.insert(std::max<std::size_t>(rule.from_bytes, 1));
        if (rule.to_bytes != no_end) {
            starts.insert(rule.to_bytes + 1);
        }
    }
    std::vector<UniformSizes> segments;
    for (auto start = starts.begin(); start != starts.end(); ++start) {
        const auto next = std::next(start);
        const std::size_t to = next == starts.end() ? no_end : *next - 1;
        const std::string by_default = defaults.algorithm_for(*start, defaults.defaults());
        const Rule* rule = find_rule(config, network, layout, collective, *start);
        const double end = static_cast<double>(std::min(to, largest_threshold)) + 1;
        const double octaves = std::max(std::log2(end / static_cast<double>(*start)), 0.0);
        const double gain = rule != nullptr && rule->expected_gain > 0 ? rule->expected_gain : 0;
        segments.push_back({*start, to, rule == nullptr ? by_default : rule->algorithm, by_default,
                            octaves * gain + smallest_weight});
    }
    return segments;
}

double cost(const UniformSizes& segment, const std::string& algorithm) {
    if (algorithm == segment.wanted) {
        return 0;
    }
    return algorithm == segment.by_default ? segment.weight : std::numeric_limits<double>::infinity();
}

struct LadderFit {
    double cost;
    std::vector<std::size_t> steps;  // of the ladder, for each segment; never goes down
};

// The cheapest way up the ladder, by dynamic programming
LadderFit fit_ladder(const Ladder& ladder, const std::vector<UniformSizes>& segments) {
    std::vector<LadderFit> best(ladder.steps.size() + 1, LadderFit{0, {}});  // that end on each step
    for (const UniformSizes& segment : segments) {
        std::vector<LadderFit> next;
        for (std::size_t step = 0; step < best.size(); ++step) {
            const auto before =
                std::min_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(step) + 1,
                                 [](const LadderFit& a, const LadderFit& b) { return a.cost < b.cost; });
            next.push_back(*before);
            next.back().cost += cost(segment, ladder.algorithm(step));
            next.back().steps.push_back(step);
        }
        best = std::move(next);
    }
    return *std::min_element(best.begin(), best.end(),
                             [](const LadderFit& a, const LadderFit& b) { return a.cost < b.cost; });
}

// A threshold that is not above an earlier one has no effect. That of a step that no size uses is as near to
// its default as this allows, because other collectives and the parts of smp read it, too.
std::vector<int> thresholds_of(const Ladder& ladder, const std::vector<UniformSizes>& segments,
                               const LadderFit& fit) {
    std::vector<int> values;
    int largest = 0;  // so far
    for (std::size_t step = 0; step < ladder.steps.size(); ++step) {
        const int default_value = ladder.steps[step].threshold->default_value;
        int value = std::min(default_value, largest);
        for (std::size_t i = 0; i < segments.size(); ++i) {
            if (fit.steps[i] == step) {
                const std::size_t to = segments[i].to_bytes;
                value = to == ladder.last_bytes(default_value) ? default_value : ladder.threshold(to);
            }
        }
        largest = std::max(largest, value);
        values.push_back(value);
    }
    return values;
}

int value_of(const Values& values, const models::MpichThreshold& threshold) {
    const auto found = values.find(&threshold);
    return found == values.end() ? threshold.default_value : found->second;
}

// What the library does with these values
struct Effect {
    Ladder ladder;
    std::vector<int> thresholds;
};

Effect effect_of(const std::string& collective, const Layout& layout, const Values& values) {
    const models::MpichThreshold* min_ranks = min_ranks_of(collective);
    Effect effect{*ladder_of(collective, layout, min_ranks == nullptr ? 0 : value_of(values, *min_ranks)),
                  {}};
    for (const Step& step : effect.ladder.steps) {
        effect.thresholds.push_back(value_of(values, *step.threshold));
    }
    return effect;
}

// Adds what is not at its default; what another collective has set already stays.
void choose_values(const std::string& collective, const Layout& layout,
                   const std::vector<UniformSizes>& segments, Values& values) {
    Ladder ladder = *ladder_of(collective, layout, default_min_ranks(collective));
    LadderFit fit = fit_ladder(ladder, segments);
    if (layout.ranks() < default_min_ranks(collective)) {
        const Ladder longer = *ladder_of(collective, layout, layout.ranks());
        const LadderFit longer_fit = fit_ladder(longer, segments);
        if (longer_fit.cost < fit.cost) {
            values.try_emplace(min_ranks_of(collective), layout.ranks());
            ladder = longer;
            fit = longer_fit;
        }
    }
    const std::vector<int> thresholds = thresholds_of(ladder, segments, fit);
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
        const models::MpichThreshold* threshold = ladder.steps[i].threshold;
        if (thresholds[i] != threshold->default_value) {
            values.try_emplace(threshold, thresholds[i]);
        }
    }
}

std::string range_text(const UniformSizes& segment) {
    Rule rule;
    rule.from_bytes = segment.from_bytes;
    rule.to_bytes = segment.to_bytes;
    return size_range(rule);
}

std::vector<std::string> comments_of(const std::string& collective, const Layout& layout,
                                     const std::vector<UniformSizes>& segments, const Values& values) {
    const Effect effect = effect_of(collective, layout, values);
    std::vector<std::string> parts;
    std::vector<std::string> failures;
    for (const UniformSizes& segment : segments) {
        const std::string used = effect.ladder.algorithm_for(segment.from_bytes, effect.thresholds);
        parts.push_back(fmt::format("{} {}{}", range_text(segment), used,
                                    used == segment.by_default ? " (default)" : ""));
        if (used != segment.wanted) {
            failures.push_back(fmt::format("cannot be expressed by thresholds: {} {} {}; it gets {}",
                                           collective, range_text(segment), segment.wanted, used));
        }
    }
    std::vector<std::string> comments = {fmt::format("{}: {}", collective, fmt::join(parts, "; "))};
    comments.insert(comments.end(), failures.begin(), failures.end());
    const bool has_smp = std::any_of(segments.begin(), segments.end(),
                                     [](const UniformSizes& s) { return s.wanted == "smp"; });
    if (collective == "bcast" && has_smp) {
        comments.emplace_back("the parts of an smp bcast obey the other thresholds of bcast, too");
    }
    return comments;
}

Setting setting(const models::MpichThreshold& threshold, int value, const std::string& where,
                const std::string& collective) {
    std::string comment = fmt::format("default {}; {}", threshold.default_value, where);
    if (const std::string others = threshold.others_than(collective); !others.empty()) {
        comment += "; also moves " + others;
    }
    return {{comment}, threshold.variable(), std::to_string(value)};
}

// The variables of a collective that are in `values`
std::vector<Setting> settings_of(const std::string& collective, const Layout& layout, const Values& values) {
    const Ladder ladder = effect_of(collective, layout, values).ladder;
    std::vector<Setting> settings;
    const auto add = [&](const models::MpichThreshold* threshold, const std::string& where) {
        if (const auto found = values.find(threshold); found != values.end()) {
            settings.push_back(setting(*threshold, found->second, where, collective));
        }
    };
    add(min_ranks_of(collective), "ranks from which on the sizes count");
    const bool is_message = ladder.compared_with == models::ComparedWith::message;
    for (const Step& step : ladder.steps) {
        add(step.threshold,
            fmt::format("{} {} for {}", ladder.is_inclusive ? "up to this many" : "below this many",
                        is_message ? "bytes" : "bytes of all ranks together", step.algorithm));
    }
    return settings;
}

std::vector<std::string> tuned_collectives(const Config& config, const std::string& network,
                                           const Layout& layout) {
    std::vector<std::string> names;
    for (const Rule& rule : config.rules) {
        if (rule.network == network && rule.where.holds(layout) &&
            std::find(names.begin(), names.end(), rule.collective) == names.end()) {
            names.push_back(rule.collective);
        }
    }
    return names;
}

}  // namespace

std::vector<Setting> threshold_settings(const Config& config, const std::string& network,
                                        const Layout& layout) {
    std::map<std::string, std::vector<UniformSizes>> segments;
    std::vector<Setting> settings;
    Values values;
    const std::vector<std::string> collectives = tuned_collectives(config, network, layout);
    for (const std::string& collective : collectives) {
        const std::optional<Ladder> defaults = ladder_of(collective, layout, default_min_ranks(collective));
        if (defaults) {
            segments[collective] = segments_of(config, network, layout, collective, *defaults);
            choose_values(collective, layout, segments[collective], values);
        } else {
            settings.push_back({{"cannot be expressed by thresholds: " + collective + " has none"}, "", ""});
        }
    }
    std::set<std::string> done;
    for (const std::string& collective : collectives) {
        if (segments.contains(collective)) {
            settings.push_back({comments_of(collective, layout, segments[collective], values), "", ""});
            for (Setting& row : settings_of(collective, layout, values)) {
                if (done.insert(row.variable).second) {
                    settings.push_back(std::move(row));
                }
            }
        }
    }
    return settings;
}

namespace {

std::string thresholds_text(const Config& config, const EmitOptions& options) {
    const std::string network = chosen_network(config, options.network);
    std::string text = "# Thresholds for MPICH with the patches of changeover. Use: . FILE\n";
    text += comment_lines(origin_lines(config, network));
    if (!has_rules(config, network)) {
        return text + "# There are no rules: the library's own choices stand.\n";
    }
    const Layout layout = chosen_layout(config, network, options.layout);
    if (!has_rules(config, network, layout)) {
        return text + comment_lines({missing_rules_text(config, network, layout)});
    }
    text +=
        fmt::format("# They hold for communicators of {} ranks, {}. All others of the job obey them, too.\n",
                    layout.ranks(), to_string(layout));
    return text + exports(threshold_settings(config, network, layout));
}

}  // namespace

std::string emit_env(const Config& config, const EmitOptions& options) {
    const std::vector<Setting> knobs = knob_settings(config, chosen_network(config, options.network));
    return thresholds_text(config, options) + (knobs.empty() ? "" : "\n" + exports(knobs));
}

}  // namespace tuner

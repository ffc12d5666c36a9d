// SPDX-License-Identifier: MIT
// Ranges are compared on a grid: between two numbers of nodes, or of ranks on a node, that rules begin or end
// at, nothing changes. Where rules are for numbers of ranks, which cross the grid, only what is certain is
// said.
#include "lint_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "rules_at.hpp"

namespace tuner {

namespace {

using Findings = std::vector<Finding>;

constexpr const char* defaults_stay = "the library uses its default";
constexpr std::size_t most_grid_layouts = 20000;
constexpr std::size_t most_names = 4;  // in one finding

bool is_range(const Rule& rule) {
    return !rule.where.single();
}

bool is_same_class(const Rule& a, const Rule& b) {
    return a.network == b.network && a.collective == b.collective && a.operation == b.operation;
}

bool overlap(const Rule& a, const Rule& b) {
    return is_same_class(a, b) && a.where.intersects(b.where) && a.from_bytes <= b.to_bytes &&
           b.from_bytes <= a.to_bytes;
}

bool hides(const Rule& earlier, const Rule& rule) {
    return earlier.where.contains(rule.where) && earlier.from_bytes <= rule.from_bytes &&
           rule.to_bytes <= earlier.to_bytes;
}

std::string list_of(const std::vector<std::string>& names) {
    const std::size_t shown = std::min(names.size(), most_names);
    const std::string list =
        fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    return shown == names.size() ? list : fmt::format("{} and {} more", list, names.size() - shown);
}

// Numbers of nodes and of ranks on a node where something may change
struct Grid {
    std::set<int> nodes;
    std::set<int> ppn;

    explicit Grid(const std::vector<const Rule*>& rules) {
        for (const Rule* rule : rules) {
            add(rule->where.nodes, nodes);
            add(rule->where.ppn, ppn);
            if (rule->where.uneven) {
                ppn.insert(1);
            }
        }
        nodes.insert(2);  // only then nodes can differ
    }
    static void add(const CountRange& range, std::set<int>& numbers) {
        numbers.insert(range.first);
        if (range.last != CountRange::no_last) {
            numbers.insert(range.last + 1);
        }
    }
    // With all pairs of fewest and most ranks on a node, and both mappings
    std::vector<Layout> layouts() const;
};

std::vector<Layout> Grid::layouts() const {
    std::vector<Layout> all;
    for (const int n : nodes) {
        for (const int most : ppn) {
            for (const int fewest : ppn) {
                const bool is_layout = fewest == most || (fewest < most && n > 1);
                if (!is_layout || most > CountRange::no_last / n || all.size() >= most_grid_layouts) {
                    continue;
                }
                for (const Mapping mapping : {Mapping::block, Mapping::round_robin}) {
                    all.push_back({n, most, mapping, most - fewest});
                }
            }
        }
    }
    return all;
}

// A rule for numbers of ranks holds only in parts of the grid
bool crosses_grid(const Rule& rule) {
    return is_range(rule) && !rule.where.ranks.is_any();
}

// The rules of one collective and operation on a network, by their place in the list
using Places = std::vector<std::size_t>;

// Of the sizes of a rule on a layout, is there one that no rule before it takes?
bool is_used_on(const Layout& layout, const std::vector<Rule>& rules, const Places& places,
                std::size_t which) {
    const Rule& rule = rules[places[which]];
    std::set<std::size_t> sizes = {rule.from_bytes};
    for (std::size_t i = 0; i < which; ++i) {
        const std::size_t to = rules[places[i]].to_bytes;
        if (to >= rule.from_bytes && to < rule.to_bytes) {
            sizes.insert(to + 1);
        }
    }
    return std::any_of(sizes.begin(), sizes.end(), [&](std::size_t bytes) {
        return std::none_of(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(which),
                            [&](std::size_t i) {
                                const Rule& earlier = rules[i];
                                return !crosses_grid(earlier) && earlier.where.holds(layout) &&
                                       earlier.from_bytes <= bytes && bytes <= earlier.to_bytes;
                            });
    });
}

// By all rules before it together
bool is_hidden(const std::vector<Rule>& rules, const Places& places, std::size_t which,
               const std::vector<Layout>& grid) {
    const Rule& rule = rules[places[which]];
    if (crosses_grid(rule) || rule.from_bytes > rule.to_bytes) {
        return false;
    }
    if (const std::optional<Layout> own = rule.where.single()) {
        return rule.where.holds(*own) && !is_used_on(*own, rules, places, which);
    }
    return std::none_of(grid.begin(), grid.end(), [&](const Layout& layout) {
        return rule.where.holds(layout) && is_used_on(layout, rules, places, which);
    });
}

void check_rule(const std::vector<Rule>& rules, const Places& places, std::size_t which,
                const std::vector<Layout>& grid, Findings& findings) {
    const Rule& rule = rules[places[which]];
    const std::string place = fmt::format("rules[{}]", places[which]);
    std::vector<std::string> first;  // that take some of it, in ranges
    bool is_reported = false;
    for (std::size_t i = 0; i < which; ++i) {
        const Rule& earlier = rules[places[i]];
        if (!overlap(earlier, rule)) {
            continue;
        }
        const std::string name = fmt::format("rules[{}]", places[i]);
        const bool has_range = is_range(earlier) || is_range(rule);
        if (hides(earlier, rule)) {
            is_reported = true;
            findings.push_back({Severity::error, place,
                                fmt::format("it is never used: {} has all of its {}sizes", name,
                                            has_range ? "layouts and " : ""),
                                "remove one of them"});
        } else if (has_range) {
            first.push_back(name);
        } else {
            findings.push_back({Severity::warning, place, fmt::format("{} has some of its sizes", name),
                                "let it start where the other one ends"});
        }
    }
    if (!is_reported && is_hidden(rules, places, which, grid)) {
        findings.push_back({Severity::error, place,
                            "it is never used: the rules before it have all of its layouts and sizes",
                            "remove it"});
    } else if (!is_reported && !first.empty()) {
        findings.push_back({Severity::note, place,
                            fmt::format("some of its layouts and sizes belong to {}", list_of(first)),
                            "the first rule that holds is used"});
    }
}

// Sizes between the rules of a collective on a layout
void check_gaps(std::vector<Rule> rules, const std::string& place, Findings& findings) {
    if (rules.empty()) {
        findings.push_back({Severity::note, place, "no rules", defaults_stay});
        return;
    }
    std::sort(rules.begin(), rules.end(),
              [](const Rule& a, const Rule& b) { return a.from_bytes < b.from_bytes; });
    std::size_t next = 1;
    for (const Rule& rule : rules) {
        if (rule.from_bytes > next) {
            findings.push_back({Severity::note, place,
                                fmt::format("no rule for {} to {} bytes", next, rule.from_bytes - 1),
                                defaults_stay});
        }
        next = rule.to_bytes == no_end ? no_end : std::max(next, rule.to_bytes + 1);
    }
    if (next != no_end) {
        findings.push_back(
            {Severity::note, place, fmt::format("no rule from {} bytes on", next), defaults_stay});
    }
}

std::vector<const Rule*> rules_for(const Config& config, const std::string& network,
                                   const std::string& collective) {
    std::vector<const Rule*> rules;
    for (const Rule& rule : config.rules) {
        if (rule.network == network && rule.collective == collective) {
            rules.push_back(&rule);
        }
    }
    return rules;
}

// Sizes that no layout of a range has a rule for
void check_gaps_of_ranges(const std::vector<const Rule*>& rules, Findings& findings) {
    std::vector<LayoutRange> done;
    for (const Rule* range : rules) {
        if (!is_range(*range) || std::find(done.begin(), done.end(), range->where) != done.end()) {
            continue;
        }
        done.push_back(range->where);
        std::vector<Rule> in_range;
        for (const Rule* rule : rules) {
            if (rule->where.intersects(range->where)) {
                in_range.push_back(*rule);
            }
        }
        check_gaps(std::move(in_range),
                   fmt::format("{}, {}, {}", range->network, to_string(range->where), range->collective),
                   findings);
    }
}

// Parts of the grid without any rule, inside of what the rules name
void check_layouts_without_rules(const std::vector<const Rule*>& rules, const std::string& place,
                                 Findings& findings) {
    const Grid grid(rules);
    std::vector<std::string> names;
    for (auto nodes = grid.nodes.begin(); std::next(nodes) != grid.nodes.end(); ++nodes) {
        for (auto ppn = grid.ppn.begin(); std::next(ppn) != grid.ppn.end(); ++ppn) {
            const bool has_rule = std::any_of(rules.begin(), rules.end(), [&](const Rule* rule) {
                return rule->where.nodes.holds(*nodes) && rule->where.ppn.holds(*ppn);
            });
            if (!has_rule) {
                names.push_back(
                    to_string(LayoutRange{{*nodes, *std::next(nodes) - 1}, {*ppn, *std::next(ppn) - 1}}));
            }
        }
    }
    if (!names.empty()) {
        findings.push_back({Severity::note, place, "no rules on " + list_of(names), defaults_stay});
    }
}

// What was tuned on one layout is expected on all of them
void check_network(const Config& config, const std::string& network, Findings& findings) {
    std::set<std::string> collectives;
    for (const Rule& rule : config.rules) {
        if (rule.network == network) {
            collectives.insert(rule.collective);
        }
    }
    if (collectives.empty() && !config.rules.empty()) {
        findings.push_back({Severity::note, network, "no rules for this network", defaults_stay});
    }
    for (const std::string& collective : collectives) {
        for (const Layout& layout : layouts_of(config, network)) {
            check_gaps(rules_at(config, network, layout, collective),
                       fmt::format("{}, {}, {}", network, to_string(layout), collective), findings);
        }
        const std::vector<const Rule*> rules = rules_for(config, network, collective);
        if (std::any_of(rules.begin(), rules.end(), [](const Rule* rule) { return is_range(*rule); })) {
            check_gaps_of_ranges(rules, findings);
            check_layouts_without_rules(rules, fmt::format("{}, {}", network, collective), findings);
        }
    }
}

}  // namespace

// The first rule that holds is used, so a later one may never be.
void check_overlaps(const std::vector<Rule>& rules, Findings& findings) {
    std::map<std::tuple<std::string, std::string, std::string>, Places> classes;
    std::vector<std::pair<const Places*, std::size_t>> order;  // of the rules, for the findings
    for (std::size_t i = 0; i < rules.size(); ++i) {
        Places& places = classes[{rules[i].network, rules[i].collective, rules[i].operation}];
        places.push_back(i);
        order.emplace_back(&places, places.size() - 1);
    }
    std::map<const Places*, std::vector<Layout>> grids;
    for (const auto& [name, places] : classes) {
        std::vector<const Rule*> own;
        for (const std::size_t i : places) {
            own.push_back(&rules[i]);
        }
        grids[&places] = Grid(own).layouts();
    }
    for (const auto& [places, which] : order) {
        check_rule(rules, *places, which, grids.at(places), findings);
    }
}

void check_coverage(const Config& config, Findings& findings) {
    if (config.rules.empty()) {
        findings.push_back({Severity::note, "rules", "the configuration has none", defaults_stay});
    }
    for (const std::string& network : networks_of(config)) {
        check_network(config, network, findings);
    }
}

}  // namespace tuner

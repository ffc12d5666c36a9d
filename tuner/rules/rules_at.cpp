// SPDX-License-Identifier: MIT
#include "rules_at.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <utility>

namespace tuner {

namespace {

using RulePointers = std::vector<const Rule*>;      // that hold on a layout, in their order
using Class = std::pair<std::string, std::string>;  // collective, operation

Class class_of(const Rule& rule) {
    return {rule.collective, rule.operation};
}

// Where the rule for a size may change
std::set<std::size_t> edges_of(const RulePointers& rules) {
    std::set<std::size_t> edges;
    for (const Rule* rule : rules) {
        edges.insert(rule->from_bytes);
        if (rule->to_bytes != no_end) {
            edges.insert(rule->to_bytes + 1);
        }
    }
    return edges;
}

const Rule* first_that_holds(const RulePointers& rules, std::size_t bytes) {
    const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule* rule) {
        return rule->from_bytes <= bytes && bytes <= rule->to_bytes;
    });
    return found == rules.end() ? nullptr : *found;
}

// A part of a rule
Rule part_of(const Rule& rule, const Layout& layout, std::size_t from_bytes) {
    Rule part = rule;
    part.where = LayoutRange::exactly(layout);
    if (from_bytes != rule.from_bytes) {
        part.from_bytes = from_bytes;
        part.from_interval = {static_cast<double>(from_bytes), static_cast<double>(from_bytes)};
    }
    return part;
}

// Those of one collective and operation, by size
void add_resolved(const RulePointers& rules, const Layout& layout, std::vector<Rule>& resolved) {
    const Rule* before = nullptr;
    for (const std::size_t bytes : edges_of(rules)) {
        const Rule* rule = first_that_holds(rules, bytes);
        if (rule == before) {
            continue;
        }
        if (before != nullptr) {
            resolved.back().to_bytes = bytes - 1;
        }
        if (rule != nullptr) {
            resolved.push_back(part_of(*rule, layout, bytes));
        }
        before = rule;
    }
}

template <class Wanted>
std::vector<Rule> resolved_rules(const Config& config, const Layout& layout, const Wanted& is_wanted) {
    std::vector<std::pair<Class, RulePointers>> classes;  // as they come
    for (const Rule& rule : config.rules) {
        if (!rule.where.holds(layout) || !is_wanted(rule)) {
            continue;
        }
        auto found = std::find_if(classes.begin(), classes.end(),
                                  [&](const auto& row) { return row.first == class_of(rule); });
        if (found == classes.end()) {
            found = classes.insert(classes.end(), {class_of(rule), {}});
        }
        found->second.push_back(&rule);
    }
    std::vector<Rule> resolved;
    for (const auto& [name, rules] : classes) {
        add_resolved(rules, layout, resolved);
    }
    return resolved;
}

constexpr std::int64_t most_hosts = 1 << 20;

// How far ranges without an end are listed
struct Largest {
    int nodes = 1;
    int ppn = 1;
};

int largest_of(const CountRange& range) {
    return range.last == CountRange::no_last ? range.first : range.last;
}

Largest largest_named(const Config& config, const std::string& network) {
    Largest largest;
    for (const Rule& rule : config.rules) {
        if (rule.network == network) {
            largest.nodes = std::max(largest.nodes, largest_of(rule.where.nodes));
            largest.ppn = std::max(largest.ppn, largest_of(rule.where.ppn));
        }
    }
    const Json& run = config.fingerprint;
    if (run.is_object() && run.contains("hosts") && run.at("hosts").is_number_integer()) {
        const auto hosts = std::clamp<std::int64_t>(run.at("hosts").get<std::int64_t>(), 1, most_hosts);
        largest.nodes = std::max(largest.nodes, static_cast<int>(hosts));
    }
    return largest;
}

// In this order
struct Kind {
    bool is_even;
    Mapping mapping;
};
constexpr Kind kinds[] = {{true, Mapping::block},
                          {true, Mapping::round_robin},
                          {false, Mapping::block},
                          {false, Mapping::round_robin}};

// How many ranks the last node may lack, for a number of ranks and of ranks on a node that the range allows.
// Fewer than nodes, so that the average tells how many ranks the full nodes have: a selection file of MPICH
// asks for it.
CountRange missing_ranks(const LayoutRange& range, const Kind& kind, int nodes, int ppn) {
    if (kind.is_even) {
        return {0, 0};
    }
    const int full = nodes * ppn;
    return {std::max(1, full - std::min(full, range.ranks.last)),
            std::min({ppn - (range.uneven ? 1 : range.ppn.first), nodes - 1, full - range.ranks.first})};
}

constexpr int most_steps = 1'000'000;  // of a search, which is for ranges that people write

// Layouts of one kind in a range, the smallest first
class LayoutSearch {
  public:
    LayoutSearch(const LayoutRange& range, const Kind& kind, const Largest& largest, std::size_t limit)
        : range_(range), kind_(kind), limit_(limit) {
        // one node, and one rank on each, are even, and both mappings
        const int fewest = kind.is_even && kind.mapping == Mapping::block ? 1 : 2;
        const int most_ppn = std::min(range.ppn.last, largest.ppn);
        ppn_ = {std::max(range.ppn.first, fewest), most_ppn};
        nodes_ = {std::max({range.nodes.first, fewest, range.ranks.first / most_ppn}),
                  std::min({range.nodes.last, largest.nodes, range.ranks.last})};
        for (int nodes = nodes_.first; nodes <= nodes_.last && !is_over(); ++nodes) {
            add_with_nodes(nodes);
        }
    }
    const std::set<Layout>& found() const { return found_; }  // one more than the limit, if there are more
    bool is_complete() const { return found_.size() <= limit_ && steps_ <= most_steps; }

  private:
    bool is_over() { return found_.size() > limit_ || ++steps_ > most_steps; }
    void add_with_nodes(int nodes) {
        const int last = std::min(ppn_.last, CountRange::no_last / nodes);
        for (int ppn = std::max(ppn_.first, range_.ranks.first / nodes); ppn <= last && !is_over(); ++ppn) {
            const CountRange missing = missing_ranks(range_, kind_, nodes, ppn);
            for (int lacks = missing.first; lacks <= missing.last && !is_over(); ++lacks) {
                if (const Layout layout = {nodes, ppn, kind_.mapping, lacks}; range_.holds(layout)) {
                    found_.insert(layout);
                }
            }
        }
    }

    const LayoutRange& range_;
    const Kind& kind_;
    std::size_t limit_;
    CountRange nodes_;
    CountRange ppn_;
    std::set<Layout> found_;
    int steps_ = 0;
};

constexpr std::size_t enough_to_choose_from = 4096;

// Of too many layouts, those that jobs have most often: powers of two, then sums of two of them, and so on
struct RounderFirst {
    static auto order_of(const Layout& layout) {
        const auto ones = [](int number) { return std::popcount(static_cast<unsigned>(number)); };
        return std::pair(ones(layout.nodes) + ones(layout.ppn), layout);
    }
    bool operator()(const Layout& a, const Layout& b) const { return order_of(a) < order_of(b); }
};

// That the rules of a network have, each once
std::vector<LayoutRange> ranges_of(const Config& config, const std::string& network) {
    std::vector<LayoutRange> ranges;
    for (const Rule& rule : config.rules) {
        if (rule.network == network && !rule.where.single() &&
            std::find(ranges.begin(), ranges.end(), rule.where) == ranges.end()) {
            ranges.push_back(rule.where);
        }
    }
    return ranges;
}

}  // namespace

std::vector<Rule> rules_at(const Config& config, const std::string& network, const Layout& layout) {
    return resolved_rules(config, layout, [&](const Rule& rule) { return rule.network == network; });
}

std::vector<Rule> rules_at(const Config& config, const std::string& network, const Layout& layout,
                           const std::string& collective) {
    return resolved_rules(config, layout, [&](const Rule& rule) {
        return rule.network == network && rule.collective == collective;
    });
}

std::vector<Rule> narrowed_to(const std::vector<Rule>& rules, const Layout& layout) {
    std::vector<Rule> narrowed;
    for (const Rule& rule : rules) {
        if (rule.where.holds(layout)) {
            narrowed.push_back(rule);
            narrowed.back().where = LayoutRange::exactly(layout);
        }
    }
    return narrowed;
}

ListedLayouts layouts_with_rules(const Config& config, const std::string& network, std::size_t limit) {
    ListedLayouts listed = {layouts_of(config, network), true};
    const std::size_t most = listed.layouts.size() + limit;
    const Largest largest = largest_named(config, network);
    const std::vector<LayoutRange> ranges = ranges_of(config, network);
    for (const Kind& kind : kinds) {
        std::set<Layout, RounderFirst> found;
        for (const LayoutRange& range : ranges) {
            const LayoutSearch search(range, kind, largest, std::max(limit, enough_to_choose_from));
            found.insert(search.found().begin(), search.found().end());
            listed.is_complete &= search.is_complete();
        }
        for (const Layout& layout : found) {
            const bool is_known = std::any_of(listed.layouts.begin(), listed.layouts.end(),
                                              [&](const Layout& l) { return is_same_place(l, layout); });
            if (!is_known && listed.layouts.size() == most) {
                listed.is_complete = false;
                return listed;
            }
            if (!is_known) {
                listed.layouts.push_back(layout);
            }
        }
    }
    return listed;
}

std::vector<Layout> smallest_layouts(const LayoutRange& range, std::size_t limit) {
    if (const std::optional<Layout> only = range.single()) {
        return {*only};
    }
    constexpr int few_nodes = 16;
    constexpr int few_ppn = 8;
    const auto so_many_from = [](int first, int few) {
        return first > CountRange::no_last - few ? first : first + few - 1;
    };
    const Largest largest = {so_many_from(range.nodes.first, few_nodes),
                             so_many_from(range.ppn.first, few_ppn)};
    std::vector<Layout> layouts;
    for (const Kind& kind : kinds) {
        const LayoutSearch search(range, kind, largest, limit);
        layouts.insert(layouts.end(), search.found().begin(), search.found().end());
    }
    layouts.resize(std::min(layouts.size(), limit));
    return layouts;
}

}  // namespace tuner

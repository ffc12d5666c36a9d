// SPDX-License-Identifier: MIT
#include "usable_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tuner {

namespace {

// One for each rule and problem, however many layouts the rule is for
void add_note(const Rule& rule, const std::string& problem, std::vector<std::string>& notes) {
    std::string note = fmt::format("left out: {} on {}{}, {}, {}: {}", rule.collective,
                                   rule.where.single() ? "" : "layouts of ", to_string(rule.where),
                                   size_range(rule), rule.algorithm, problem);
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
        notes.push_back(std::move(note));
    }
}

}  // namespace

bool want_the_same(const LayoutRules& a, const LayoutRules& b) {
    return std::equal(a.rules.begin(), a.rules.end(), b.rules.begin(), b.rules.end(),
                      [](const Rule& x, const Rule& y) {
                          return std::tie(x.from_bytes, x.to_bytes, x.algorithm) ==
                                 std::tie(y.from_bytes, y.to_bytes, y.algorithm);
                      });
}

LayoutRules usable_rules(const Config& config, const std::string& network, const Layout& layout,
                         const std::string& collective, const Obstacle& obstacle,
                         std::vector<std::string>& notes) {
    LayoutRules usable = {layout, {}};
    for (Rule& rule : rules_at(config, network, layout, collective)) {
        if (const std::string problem = obstacle(rule, layout); problem.empty()) {
            usable.rules.push_back(std::move(rule));
        } else {
            const Rule* whole = find_rule(config, network, layout, collective, rule.from_bytes);
            add_note(whole == nullptr ? rule : *whole, problem, notes);
        }
    }
    std::stable_sort(usable.rules.begin(), usable.rules.end(),
                     [](const Rule& a, const Rule& b) { return a.from_bytes < b.from_bytes; });
    return usable;
}

std::vector<Layout> layouts_to_write(const Config& config, const std::string& network, std::size_t limit,
                                     std::vector<std::string>& notes) {
    ListedLayouts listed = layouts_with_rules(config, network, limit);
    if (!listed.is_complete) {
        notes.push_back(
            fmt::format("left out: layouts with unusual numbers of nodes or ranks: the ranges of the rules "
                        "have more than "
                        "{} layouts, and the file names each of them",
                        limit));
    }
    return std::move(listed.layouts);
}

void note_unknown_collectives(const Config& config, const std::string& network,
                              const std::optional<Layout>& layout, const std::set<std::string>& known,
                              std::vector<std::string>& notes) {
    for (const Rule& rule : config.rules) {
        if (rule.network == network && !known.contains(rule.collective) &&
            (!layout || rule.where.holds(*layout))) {
            add_note(rule, no_such_collective, notes);
        }
    }
}

}  // namespace tuner

// SPDX-License-Identifier: MIT
#include "usable_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuner {

namespace {

std::string note_of(const Rule& rule, const Layout& layout, const std::string& problem) {
    return fmt::format("left out: {} on {}, {}, {}: {}", rule.collective, to_string(layout), size_range(rule),
                       rule.algorithm, problem);
}

}  // namespace

RulePointers usable_rules(const Config& config, const std::string& network, const Layout& layout,
                          const std::string& collective, const Obstacle& obstacle,
                          std::vector<std::string>& notes) {
    RulePointers rules;
    for (const Rule& rule : config.rules) {
        if (rule.network != network || rule.collective != collective || !is_same_place(rule.layout, layout)) {
            continue;
        }
        if (const std::string problem = obstacle(rule); problem.empty()) {
            rules.push_back(&rule);
        } else {
            notes.push_back(note_of(rule, layout, problem));
        }
    }
    std::sort(rules.begin(), rules.end(),
              [](const Rule* a, const Rule* b) { return a->from_bytes < b->from_bytes; });
    return rules;
}

void note_unknown_collectives(const Config& config, const std::string& network,
                              const std::optional<Layout>& layout, const std::set<std::string>& known,
                              std::vector<std::string>& notes) {
    for (const Rule& rule : config.rules) {
        if (rule.network == network && !known.contains(rule.collective) &&
            (!layout || is_same_place(rule.layout, *layout))) {
            notes.push_back(note_of(rule, rule.layout, no_such_collective));
        }
    }
}

}  // namespace tuner

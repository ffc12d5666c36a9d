// SPDX-License-Identifier: MIT
// For formats that cannot express every rule, and no ranges of layouts: the rules of each layout that they
// can, and a note for people about each other.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rules_at.hpp"

namespace tuner {

// The rules of a collective on a layout, by size
struct LayoutRules {
    Layout layout;
    std::vector<Rule> rules;
};

// The same algorithms for the same sizes
bool want_the_same(const LayoutRules& a, const LayoutRules& b);

// Why a rule cannot be in the file for a layout; empty: it can
using Obstacle = std::function<std::string(const Rule& rule, const Layout& layout)>;

// A rule that cannot be in the file leaves the choice to the library: no other rule takes its place.
LayoutRules usable_rules(const Config& config, const std::string& network, const Layout& layout,
                         const std::string& collective, const Obstacle& obstacle,
                         std::vector<std::string>& notes);

// The layouts to write one by one, at most `limit` of those in ranges, with a note if there are more
std::vector<Layout> layouts_to_write(const Config& config, const std::string& network, std::size_t limit,
                                     std::vector<std::string>& notes);

// Notes about the rules of all collectives that the format does not know, so that none disappears silently;
// on one layout, or on all
void note_unknown_collectives(const Config& config, const std::string& network,
                              const std::optional<Layout>& layout, const std::set<std::string>& known,
                              std::vector<std::string>& notes);

inline constexpr const char* no_such_collective = "a file cannot choose for this collective";

}  // namespace tuner

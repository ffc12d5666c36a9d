// SPDX-License-Identifier: MIT
// For formats that cannot express every rule: the rules that they can, and a note for people about each
// other.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config.hpp"

namespace tuner {

using RulePointers = std::vector<const Rule*>;
using Obstacle = std::function<std::string(const Rule& rule)>;  // why it cannot be in the file; empty: it can

// The rules of a collective on a layout, by size
RulePointers usable_rules(const Config& config, const std::string& network, const Layout& layout,
                          const std::string& collective, const Obstacle& obstacle,
                          std::vector<std::string>& notes);

// Notes about the rules of all collectives that the format does not know, so that none disappears silently;
// on one layout, or on all
void note_unknown_collectives(const Config& config, const std::string& network,
                              const std::optional<Layout>& layout, const std::set<std::string>& known,
                              std::vector<std::string>& notes);

inline constexpr const char* no_such_collective = "a file cannot choose for this collective";

}  // namespace tuner

// SPDX-License-Identifier: MIT
// The rules of one layout, for formats and people that know no ranges of layouts: which sizes each rule gets
// there, since the first one that holds counts.
#pragma once

#include <string>
#include <vector>

#include "config.hpp"

namespace tuner {

// Each is for this layout only. Those of a collective stand together, by size, and do not overlap.
std::vector<Rule> rules_at(const Config& config, const std::string& network, const Layout& layout);
std::vector<Rule> rules_at(const Config& config, const std::string& network, const Layout& layout,
                           const std::string& collective);

// The same rules in their own order, narrowed to this layout; those for other layouts are left out
std::vector<Rule> narrowed_to(const std::vector<Rule>& rules, const Layout& layout);

// Layouts that have rules, one by one
struct ListedLayouts {
    std::vector<Layout> layouts;
    bool is_complete = true;
};

// First those of layouts_of, then those of the ranges, at most `limit`: even ones before others, block before
// round-robin, round numbers of nodes and of ranks on a node before others. A range without an end is listed
// up to the largest number that a rule names; of nodes, also up to those of the run.
ListedLayouts layouts_with_rules(const Config& config, const std::string& network, std::size_t limit);

// Examples: some of the smallest layouts of a range, at most `limit`
std::vector<Layout> smallest_layouts(const LayoutRange& range, std::size_t limit);

}  // namespace tuner

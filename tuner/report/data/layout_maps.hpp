// SPDX-License-Identifier: MIT
// What the rules of a collective choose for every job that the cluster can run: maps of nodes x ranks on a
// node, one for each of a few message sizes.
#pragma once

#include <string>
#include <vector>

#include "layout_grid.hpp"
#include "report_data.hpp"

namespace tuner::report {

// A position on each axis
struct MapField {
    std::size_t size = 0;
    std::size_t ppn = 0;
    std::size_t nodes = 0;
};

struct LayoutMap {
    std::string network;
    std::string collective;
    Mapping mapping = Mapping::block;
    bool is_verified = false;
    std::vector<Rule> rules = {};       // of the collective and network, in their order
    std::vector<CountStep> nodes = {};  // the same rules hold for all counts of a step
    std::vector<CountStep> ppn = {};
    std::vector<std::size_t> sizes = {};  // bytes; at each of them some layout has a rule
    std::vector<int> choices = {};    // positions in `rules`, by size, ppn and nodes; no_rule: the default
    std::vector<bool> measured = {};  // by ppn and nodes
    std::vector<bool> jobs = {};      // the same: can the cluster run it, with two or more ranks?

    static constexpr int no_rule = -1;

    int choice(const MapField& field) const;
    const Rule* rule(const MapField& field) const;  // nullptr: the library's default
    bool is_measured(const MapField& field) const;
    bool is_job(const MapField& field) const;
};

inline constexpr std::size_t most_map_sizes = 5;

// By collective and network; of those that have rules for more layouts than one, or that were measured on
// more than one. Ranks are mapped in blocks; round-robin has a map of its own if a rule chooses another
// algorithm there.
std::vector<LayoutMap> layout_maps(const ReportData& data);

// Is the gain of the rule that of a verification?
bool is_proven(const LayoutMap& map, const Rule& rule);

// Nothing for blocks, which are the rule
std::string mapping_with(const char* separator, const LayoutMap& map);

std::string to_string(const CountStep& step);  // 4, or 17-23

}  // namespace tuner::report

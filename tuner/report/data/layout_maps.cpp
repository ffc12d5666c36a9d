// SPDX-License-Identifier: MIT
#include "layout_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

namespace tuner::report {

namespace {

using Choices = std::vector<int>;  // of one size

// Only the rules of one map: find_rule looks at every rule of a configuration
Config part_of(const Config& config, const std::string& network, const std::string& collective) {
    Config part;
    std::copy_if(config.rules.begin(), config.rules.end(), std::back_inserter(part.rules),
                 [&](const Rule& r) { return r.network == network && r.collective == collective; });
    return part;
}

struct Measured {
    std::set<Layout> layouts;
    std::size_t smallest = no_end;
    std::size_t largest = 0;
};

Measured measured_of(const ReportData& data, const std::string& network, const std::string& collective) {
    Measured found;
    for (const ReportCell& cell : data.cells) {
        const bool is_wanted = cell.key.network == network && cell.key.collective == collective;
        if (is_wanted && !cell.measured.times.empty()) {
            found.layouts.insert(cell.key.layout);
            found.smallest = std::min(found.smallest, cell.measured.times.begin()->first);
            found.largest = std::max(found.largest, cell.measured.times.rbegin()->first);
        }
    }
    return found;
}

// The steps of the cluster, divided where a rule starts or ends: all counts of a step have the same rules
std::vector<CountStep> divided_steps(int last, const std::set<int>& starts) {
    std::vector<CountStep> steps;
    for (const CountStep& step : count_steps(last)) {
        int first = step.first;
        for (auto start = starts.upper_bound(first); start != starts.end() && *start <= step.last; ++start) {
            steps.push_back({first, *start - 1});
            first = *start;
        }
        steps.push_back({first, step.last});
    }
    return steps;
}

void add_starts(std::set<int>& starts, const CountRange& range) {
    starts.insert(range.first);
    if (range.last != CountRange::no_last) {
        starts.insert(range.last + 1);
    }
}

void add_axes(LayoutMap& map, const std::set<Layout>& measured, Extent extent) {
    std::set<int> nodes;
    std::set<int> ppn;
    for (const Layout& layout : measured) {
        extent.nodes = std::max(extent.nodes, layout.nodes);
        extent.ppn = std::max(extent.ppn, layout.ppn);
        add_starts(nodes, {layout.nodes, layout.nodes});
        add_starts(ppn, {layout.ppn, layout.ppn});
    }
    for (const Rule& rule : map.rules) {
        add_starts(nodes, rule.where.nodes);
        add_starts(ppn, rule.where.ppn);
    }
    map.nodes = divided_steps(extent.nodes, nodes);
    map.ppn = divided_steps(extent.ppn, ppn);
}

Layout layout_of_field(const LayoutMap& map, std::size_t ppn, std::size_t nodes) {
    return {map.nodes[nodes].typical(), map.ppn[ppn].typical(), map.mapping};
}

template <class Value>
void for_each_layout(const LayoutMap& map, const Value& value) {
    for (std::size_t ppn = 0; ppn < map.ppn.size(); ++ppn) {
        for (std::size_t nodes = 0; nodes < map.nodes.size(); ++nodes) {
            value(layout_of_field(map, ppn, nodes));
        }
    }
}

void mark_layouts(LayoutMap& map, const std::set<Layout>& measured, const Extent& extent) {
    map.measured.clear();
    map.jobs.clear();
    for_each_layout(map, [&](const Layout& field) {
        const bool is_measured = std::any_of(measured.begin(), measured.end(), [&](const Layout& layout) {
            return is_same_place(layout, field);
        });
        map.measured.push_back(is_measured);
        map.jobs.push_back(is_measured || (field.ranks() > 1 && extent.holds(field)));
    });
}

Choices choices_at(const LayoutMap& map, const Config& part, std::size_t bytes) {
    Choices choices;
    for_each_layout(map, [&](const Layout& layout) {
        const Rule* rule =
            map.jobs[choices.size()] ? find_rule(part, map.network, layout, map.collective, bytes) : nullptr;
        choices.push_back(rule == nullptr ? LayoutMap::no_rule : static_cast<int>(rule - part.rules.data()));
    });
    return choices;
}

// Powers of two that were measured; where no rule holds at any of them, the first sizes of the rules
std::set<std::size_t> sizes_to_try(const std::vector<Rule>& rules, const Measured& measured) {
    std::set<std::size_t> sizes;
    for (std::size_t bytes = 1; bytes <= measured.largest && bytes != 0; bytes *= 2) {
        const auto is_inside = [&](const Rule& r) { return r.from_bytes <= bytes && bytes <= r.to_bytes; };
        if (bytes >= measured.smallest && std::any_of(rules.begin(), rules.end(), is_inside)) {
            sizes.insert(bytes);
        }
    }
    if (sizes.empty()) {
        std::transform(rules.begin(), rules.end(), std::inserter(sizes, sizes.end()),
                       [](const Rule& rule) { return rule.from_bytes; });
    }
    return sizes;
}

bool has_rule(const Choices& choices) {
    return std::any_of(choices.begin(), choices.end(), [](int c) { return c != LayoutMap::no_rule; });
}

using ChoicesBySize = std::vector<std::pair<std::size_t, Choices>>;  // of sizes at which a rule holds

ChoicesBySize choices_by_size(const LayoutMap& map, const Config& part, const Measured& measured) {
    ChoicesBySize found;
    for (const std::size_t bytes : sizes_to_try(map.rules, measured)) {
        if (Choices choices = choices_at(map, part, bytes); has_rule(choices)) {
            found.emplace_back(bytes, std::move(choices));
        }
    }
    return found;
}

// Evenly among those that have rules, the first and the last one included
void add_choices(LayoutMap& map, const ChoicesBySize& all) {
    const std::size_t count = std::min(all.size(), most_map_sizes);
    for (std::size_t i = 0; i < count; ++i) {
        const auto& [bytes, choices] = all[count == 1 ? 0 : i * (all.size() - 1) / (count - 1)];
        map.sizes.push_back(bytes);
        map.choices.insert(map.choices.end(), choices.begin(), choices.end());
    }
}

// Is there a rule that chooses what the other map does not?
bool has_other_choice(const LayoutMap& map, const ChoicesBySize& own, const Config& part,
                      const LayoutMap& other) {
    const auto algorithm = [&](int choice) {
        return choice == LayoutMap::no_rule ? "" : map.rules[static_cast<std::size_t>(choice)].algorithm;
    };
    return std::any_of(own.begin(), own.end(), [&](const auto& entry) {
        const auto& [bytes, choices] = entry;
        const Choices others = choices_at(other, part, bytes);
        for (std::size_t i = 0; i < choices.size(); ++i) {
            if (choices[i] != LayoutMap::no_rule && algorithm(choices[i]) != algorithm(others[i])) {
                return true;
            }
        }
        return false;
    });
}

// Both mappings, as far as they are worth a map
void add_maps(std::vector<LayoutMap>& maps, const ReportData& data, const std::string& network,
              const std::string& collective) {
    const Measured measured = measured_of(data, network, collective);
    const Config part = part_of(data.config, network, collective);
    const bool has_ranges = std::any_of(part.rules.begin(), part.rules.end(),
                                        [](const Rule& rule) { return !rule.where.single(); });
    if (measured.layouts.size() < 2 && !has_ranges) {
        return;
    }
    LayoutMap block{network, collective, Mapping::block, data.config.verified, part.rules};
    const Extent extent = extent_of(data.cluster);
    add_axes(block, measured.layouts, extent);
    mark_layouts(block, measured.layouts, extent);
    for (const Mapping mapping : {Mapping::block, Mapping::round_robin}) {
        LayoutMap map = block;
        map.mapping = mapping;
        mark_layouts(map, measured.layouts, extent);
        const ChoicesBySize choices = choices_by_size(map, part, measured);
        if (mapping == Mapping::block ? !choices.empty() : has_other_choice(map, choices, part, block)) {
            add_choices(map, choices);
            maps.push_back(std::move(map));
        }
    }
}

}  // namespace

int LayoutMap::choice(const MapField& field) const {
    return choices[(field.size * ppn.size() + field.ppn) * nodes.size() + field.nodes];
}

const Rule* LayoutMap::rule(const MapField& field) const {
    const int position = choice(field);
    return position == no_rule ? nullptr : &rules[static_cast<std::size_t>(position)];
}

bool LayoutMap::is_measured(const MapField& field) const {
    return measured[field.ppn * nodes.size() + field.nodes];
}

bool LayoutMap::is_job(const MapField& field) const {
    return jobs[field.ppn * nodes.size() + field.nodes];
}

std::vector<LayoutMap> layout_maps(const ReportData& data) {
    std::set<std::pair<std::string, std::string>> places;
    for (const Rule& rule : data.config.rules) {
        places.emplace(rule.collective, rule.network);
    }
    std::vector<LayoutMap> maps;
    for (const auto& [collective, network] : places) {
        add_maps(maps, data, network, collective);
    }
    return maps;
}

bool is_proven(const LayoutMap& map, const Rule& rule) {
    return map.is_verified && (!is_predicted(rule) || rule.tested_layouts > 0);
}

std::string mapping_with(const char* separator, const LayoutMap& map) {
    return map.mapping == Mapping::block ? "" : std::string(separator) + to_string(map.mapping);
}

std::string to_string(const CountStep& step) {
    return step.first == step.last ? std::to_string(step.first) : fmt::format("{}-{}", step.first, step.last);
}

}  // namespace tuner::report

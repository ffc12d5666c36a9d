// SPDX-License-Identifier: MIT
#include "sentinels.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "decide.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr double beyond = 1.5;       // a sentinel outside is so far from the end
constexpr double clear_gain = 1.15;  // outside, more than this is a changeover that moved
constexpr double share_of_gain_left =
    1.0 / 3;  // near the ends of a rule its gain is smaller than in all of it

// Was the rule's algorithm no faster than the default around this size when the run was measured?
bool lost_then(const Rule& rule, const Cell& cell, std::size_t bytes) {
    const auto above = cell.times.lower_bound(bytes);
    for (auto size : {above, above == cell.times.begin() ? above : std::prev(above)}) {
        if (size == cell.times.end()) {
            return false;
        }
        const auto tuned = size->second.find(rule.algorithm);
        const auto by_default = size->second.find(default_algorithm);
        if (tuned == size->second.end() || by_default == size->second.end() ||
            by_default->second.time.median_seconds > 1.02 * tuned->second.time.median_seconds) {
            return false;
        }
    }
    return true;
}

// Just outside of the rule, where its algorithm lost when sizes around were measured, and no other rule holds
std::vector<std::size_t> sizes_outside(const Config& config, const Rule& rule, const Cells& cells) {
    std::vector<std::size_t> sizes;
    const auto cell = cells.find(cell_of(rule));
    if (cell == cells.end() || cell->second.times.empty()) {
        return sizes;
    }
    const std::size_t smallest = cell->second.times.begin()->first;
    const std::size_t largest = cell->second.times.rbegin()->first;
    for (const double bytes :
         {static_cast<double>(rule.from_bytes) / beyond, static_cast<double>(rule.to_bytes) * beyond}) {
        const std::size_t size = static_cast<std::size_t>(bytes) / size_granule * size_granule;
        if (size >= std::max(smallest, size_granule) && size <= largest &&
            lost_then(rule, cell->second, size) &&
            find_rule(config, rule.network, rule.layout, rule.collective, size) == nullptr) {
            sizes.push_back(size);
        }
    }
    return sizes;
}

}  // namespace

std::string stale_reason(const Config& config, const Rule& rule, const Cells& cells,
                         const MeasurePairs& measure) {
    const std::vector<Proof> inside = prove(rule, sizes_to_verify(rule, {}, 3), measure);
    if (inside.empty()) {
        return name_of(rule) + ": could not be measured";
    }
    std::vector<double> slower;
    double sum_of_highs = 0;
    for (const Proof& proof : inside) {
        slower.push_back(proof.p_slower);
        sum_of_highs += std::log(proof.ratio.interval.high);
    }
    for (const double p : models::holm_adjusted(slower)) {
        if (p < error_rate) {
            return name_of(rule) + ": slower than the default now";
        }
    }
    const double gain_at_most = std::expm1(sum_of_highs / static_cast<double>(inside.size()));
    if (gain_at_most < share_of_gain_left * rule.verified_gain) {
        return fmt::format("{}: gains at most {:.0f}% now, {:.0f}% when verified", name_of(rule),
                           100 * gain_at_most, 100 * rule.verified_gain);
    }
    for (const Proof& proof : prove(rule, sizes_outside(config, rule, cells), measure)) {
        if (proof.ratio.interval.low > clear_gain) {
            return fmt::format("{}: is now faster at {}, too, by {:.0f}%", name_of(rule),
                               bytes_text(proof.bytes), 100 * (proof.ratio.ratio - 1));
        }
    }
    return "";
}

}  // namespace tuner

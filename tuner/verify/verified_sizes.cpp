// SPDX-License-Identifier: MIT
#include "verified_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace tuner {

namespace {

constexpr double narrow = 1.5;  // last / first size of a rule

std::size_t rounded_down(std::size_t bytes) {
    return bytes / size_granule * size_granule;
}

// What the default ran at a measured size; empty: not known
std::string used_by_default(const Times& times) {
    const auto found = times.find(default_algorithm);
    return found == times.end() ? "" : found->second.used;
}

// The measured sizes around every switch of the default
std::set<std::size_t> sizes_around_switches(const Cell& cell) {
    std::set<std::size_t> sizes;
    const std::string* before = nullptr;
    std::size_t bytes_before = 0;
    std::string used;
    for (const auto& [bytes, times] : cell.times) {
        const std::string here = used_by_default(times);
        if (here.empty()) {
            continue;
        }
        if (before && here != *before) {
            sizes.insert({bytes_before, bytes});
        }
        used = here;
        before = &used;
        bytes_before = bytes;
    }
    return sizes;
}

// By the measured sizes on both sides of it
bool default_uses(const std::string& algorithm, const Cell& cell, std::size_t bytes) {
    const auto above = cell.times.lower_bound(bytes);
    if (above == cell.times.end() || used_by_default(above->second) != algorithm) {
        return false;
    }
    return above->first == bytes ||
           (above != cell.times.begin() && used_by_default(std::prev(above)->second) == algorithm);
}

}  // namespace

std::vector<std::size_t> sizes_to_verify(const Rule& rule, const Cell& cell, std::size_t count) {
    const std::size_t first = std::max(size_granule, rounded_down(rule.from_bytes + size_granule - 1));
    const std::size_t last = rounded_down(rule.to_bytes);
    if (last < first) {
        return {};  // between two multiples
    }
    std::set<std::size_t> sizes = {first, last};
    for (const std::size_t bytes : sizes_around_switches(cell)) {
        if (bytes % size_granule == 0 && bytes > first && bytes < last) {
            sizes.insert(bytes);
        }
    }
    std::erase_if(sizes, [&](std::size_t bytes) { return default_uses(rule.algorithm, cell, bytes); });
    const double from = std::log(static_cast<double>(first));
    const double width = std::log(static_cast<double>(last)) - from;
    const auto add = [&](double share) {
        const std::size_t bytes = rounded_down(static_cast<std::size_t>(std::exp(from + share * width)));
        if (bytes > first && bytes < last && !cell.times.contains(bytes) &&
            !default_uses(rule.algorithm, cell, bytes)) {
            sizes.insert(bytes);
        }
    };
    // An end is known within the plan's changeover factor only. If it does not hold, the rule is cut at the
    // size next to it, however many switches there are. Of a narrow rule there is not much to cut.
    if (width > std::log(narrow)) {
        add(0.1);
        add(0.9);
    } else {
        count = std::min<std::size_t>(count, 3);
    }
    // more places than asked for, since some are measured sizes, and near the ends of a narrow rule some
    // coincide
    for (const double share : {0.5, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6, 0.05, 0.95}) {
        if (sizes.size() < count) {
            add(share);
        }
    }
    return {sizes.begin(), sizes.end()};
}

}  // namespace tuner

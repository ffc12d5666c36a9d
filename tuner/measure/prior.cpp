// SPDX-License-Identifier: MIT
#include "prior.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "size_choice.hpp"

namespace tuner {

namespace {

constexpr double near_factor = 1.5;  // as slow as this against the best one: it may win now
constexpr double clearly_slower = 1.1;

// The nearest measured sizes on either side, or the size itself
std::vector<const Times*> around(const Cell& prior, std::size_t bytes) {
    std::vector<const Times*> found;
    const auto at = prior.times.lower_bound(bytes);
    if (at != prior.times.end()) {
        found.push_back(&at->second);
    }
    if (at != prior.times.begin() && (at == prior.times.end() || at->first > bytes)) {
        found.push_back(&std::prev(at)->second);
    }
    return found;
}

}  // namespace

const Cell* Prior::like(const CellKey& key) const {
    const auto distance = [&](const CellKey& other) {
        return std::tuple(other.network != key.network, other.layout != key.layout,
                          std::abs(std::log(static_cast<double>(other.layout.ranks()) /
                                            static_cast<double>(key.layout.ranks()))));
    };
    const std::pair<const CellKey, Cell>* best = nullptr;
    for (const auto& entry : cells_) {
        const bool is_same =
            entry.first.collective == key.collective && entry.first.operation == key.operation;
        if (is_same && !entry.second.times.empty() &&
            (!best || distance(entry.first) < distance(best->first))) {
            best = &entry;
        }
    }
    return best ? &best->second : nullptr;
}

bool could_win(const Cell& prior, const std::string& algorithm, std::size_t bytes) {
    const std::vector<const Times*> sizes = around(prior, bytes);
    const bool was_measured = std::any_of(prior.times.begin(), prior.times.end(), [&](const auto& size) {
        return time_of(size.second, algorithm) != nullptr;
    });
    return algorithm == default_algorithm || !was_measured ||
           std::any_of(sizes.begin(), sizes.end(), [&](const Times* times) {
               const CellTime* time = time_of(*times, algorithm);
               return time &&
                      time->time.median_seconds <= near_factor * best_of(*times).time->time.median_seconds;
           });
}

bool is_surprise(const Cell& prior, const Times& times, std::size_t bytes) {
    const double now = best_of(times).time->time.median_seconds;
    const std::vector<const Times*> sizes = around(prior, bytes);
    return std::none_of(sizes.begin(), sizes.end(), [&](const Times* before) {
        const CellTime* time = time_of(times, best_of(*before).name);
        return time && time->time.median_seconds <= clearly_slower * now;
    });
}

}  // namespace tuner

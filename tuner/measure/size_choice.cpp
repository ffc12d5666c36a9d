// SPDX-License-Identifier: MIT
#include "size_choice.hpp"

#include <algorithm>
#include <cmath>

#include "race.hpp"

namespace tuner {

namespace {

// Of the logarithm of a median: from its interval of 95%
double log_variance(const models::MeasuredSize& time) {
    constexpr double half_width = 1.96;  // in standard deviations
    const double sd = std::log(time.interval.high / time.interval.low) / (2 * half_width);
    return sd * sd;
}

}  // namespace

Ran best_of(const Times& times) {
    Ran best = {"", nullptr};
    for (const auto& [algorithm, time] : times) {
        const bool is_alias = algorithm == default_algorithm && !time.used.empty() && time.used != algorithm;
        if (is_alias && times.contains(time.used)) {
            continue;  // the same algorithm; two medians of it differ by noise only
        }
        const CellTime* known = time_of(times, is_alias ? time.used : algorithm);
        if (!best.time || known->time.median_seconds < best.time->time.median_seconds) {
            best = {is_alias ? time.used : algorithm, known};
        }
    }
    return best;
}

Ran chosen_of(const Times& times, double loss_bound) {
    const Ran best = best_of(times);
    const auto own = times.find(default_algorithm);
    if (own == times.end() || own->second.used.empty() || best.name == own->second.used) {
        return best;
    }
    const double gain = best.time->gain ? best.time->gain->interval.low
                                        : own->second.time.interval.low / best.time->time.interval.high;
    const bool is_known = gain > 1 + loss_bound;
    return is_known ? best : Ran{own->second.used, time_of(times, own->second.used)};
}

double expected_loss_at(const Times& times, double loss_bound) {
    const Ran chosen = chosen_of(times, loss_bound);
    double largest = 0;
    for (const auto& [algorithm, time] : times) {
        const double lead = std::log(time.time.median_seconds / chosen.time->time.median_seconds);
        const bool has_lost = time.is_decided && lead > 0;  // a race
        if (algorithm != chosen.name && time.used != chosen.name && !has_lost) {
            const double sd = std::sqrt(log_variance(time.time) + log_variance(chosen.time->time));
            largest = std::max(largest, models::expected_loss(lead, sd));
        }
    }
    return largest;
}

}  // namespace tuner

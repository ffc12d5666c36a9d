// SPDX-License-Identifier: MIT
#include "expected_loss.hpp"

#include <cmath>

#include "size_choice.hpp"

namespace tuner {

namespace {

// How much slower the other side's choice is; one that was not measured here was slower by far on both sides
double lag_of(const Times& times, const Ran& chosen, const std::string& other) {
    constexpr double of_dominated = 0.3;
    const CellTime* time = time_of(times, other);
    return time ? std::max(0.0, time->time.median_seconds / chosen.time->time.median_seconds - 1)
                : of_dominated;
}

}  // namespace

double expected_loss_between(const Times& low, const Times& high, double loss_bound) {
    const double at_ends = (expected_loss_at(low, loss_bound) + expected_loss_at(high, loss_bound)) / 2;
    const Ran at_low = chosen_of(low, loss_bound);
    const Ran at_high = chosen_of(high, loss_bound);
    if (at_low.name == at_high.name) {
        return at_ends;
    }
    // The choices change somewhere between, and the rule ends somewhere between: a third is wrong on average,
    // by the lag of one side or the other.
    const double lag = (lag_of(low, at_low, at_high.name) + lag_of(high, at_high, at_low.name)) / 2;
    return at_ends + lag / 3;
}

double expected_loss_of(const Cell& cell, double loss_bound) {
    double loss = 0;
    double width = 0;
    for (auto high = cell.times.begin(), low = high; high != cell.times.end(); low = high++) {
        if (low != high) {
            const double of_gap =
                std::log(static_cast<double>(high->first) / static_cast<double>(low->first));
            loss += of_gap * expected_loss_between(low->second, high->second, loss_bound);
            width += of_gap;
        }
    }
    return width > 0 ? loss / width : 0;
}

}  // namespace tuner

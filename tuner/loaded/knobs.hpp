// SPDX-License-Identifier: MIT
// Knobs: variables of the library that are no algorithms, such as eager limits, throttles or providers. A job
// has one value of each, so that values are compared job by job, in turns.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "config.hpp"

namespace tuner {

// One size, without the setting and with it, in the same round of jobs
struct KnobCell {
    CellKey cell;
    std::size_t bytes = 0;
    std::vector<double> log_ratios;  // of medians, without / with, by round: above 0, it is faster
};

struct KnobSize {
    const KnobCell* at;
    double ratio;  // geometric mean over rounds
};

struct KnobJudgement {
    models::Ratio mean = {1, {1, 1}};   // of all sizes; its interval is that of the rounds
    std::vector<KnobSize> faster = {};  // beyond chance, and by more than the least gain
    std::vector<KnobSize> slower = {};  // beyond chance, and by more than is tolerated
    // Faster all in all and somewhere, slower nowhere
    bool holds() const { return mean.interval.low > 1 && !faster.empty() && slower.empty(); }
};

constexpr double tolerated_loss_of_knob = 0.02;

// At least two rounds, the same of all cells. The cells must outlive it.
KnobJudgement judge_knob(std::span<const KnobCell> cells, double min_gain);

}  // namespace tuner

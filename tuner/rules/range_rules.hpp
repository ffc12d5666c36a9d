// SPDX-License-Identifier: MIT
// Rules for layouts that nobody measured: ranges of nodes, of ranks on a node and of sizes in which one
// algorithm is expected to be faster than the library's own choice by more than the error of the prediction.
#pragma once

#include <functional>
#include <vector>

#include "config.hpp"
#include "extent.hpp"
#include "layout_gains.hpp"

namespace tuner {

struct RangeLimits {
    double min_gain = 0.02;       // a rule is expected to gain more than this fraction
    double caution = 0.3;         // ... even if the prediction is off by this many standard errors
    double loss_bound = 0.02;     // against the algorithm that is expected to be the best
    double beyond_factor = 2;     // nodes and ranks on a node: so far outside of what was measured
    std::size_t most_rules = 60;  // of a collective, those of measured layouts included
};

// From fewer than three layouts of a collective nobody can tell how times change with the layout
bool has_enough_layouts(const Cells& cells, const std::string& network);

// Of all collectives of the network. `measured` are its rules of single layouts, which stand before these:
// what was measured is not overruled, also where it found that the library's own choice is good.
std::vector<Rule> range_rules(const Cells& cells, const std::string& network, const LayoutGains& gains,
                              const std::vector<Rule>& measured, const Extent& extent,
                              const RangeLimits& limits = {});

}  // namespace tuner

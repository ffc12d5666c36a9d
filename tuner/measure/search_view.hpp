// SPDX-License-Identifier: MIT
// How far a search is, for a terminal: a line for each network and layout, and what is known of one cell.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "search.hpp"

namespace tuner {

struct CellProgress {
    CellKey key;
    bool is_grid_known = false;
    bool is_over = false;
    std::optional<double> expected_loss = {};  // nothing: too little was measured
};

// In the order in which the layouts first occur: "eth0 4x2      grids 5 of 6, cells 2 of 6"
std::vector<std::string> layout_lines(std::span<const CellProgress> cells);

// On average over the cells; nothing: one of them is not known
std::optional<double> expected_loss_of(std::span<const CellProgress> cells);

// The fastest algorithm by size: "best so far: 8 to 512 smp, 4Ki ring"; empty: nothing was measured
std::string best_line(const Cell& cell);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// What was measured before, at another time or on a similar cluster: not the times of this one, but a hint
// which algorithms can win.
#pragma once

#include "cells.hpp"

namespace tuner {

class Prior {
  public:
    Prior() = default;
    explicit Prior(Cells cells) : cells_(std::move(cells)) {}

    // The cell of the same collective and operation: that of the same network if there is one, and of them
    // that of the layout with the most similar number of ranks; nullptr: there is none
    const Cell* like(const CellKey& key) const;

  private:
    Cells cells_;
};

// Whether an algorithm was near the best one at sizes around this one, or was not measured there: it can win
bool could_win(const Cell& prior, const std::string& algorithm, std::size_t bytes);

// Whether a size turned out otherwise: what was best around it is clearly slower than another algorithm now
bool is_surprise(const Cell& prior, const Times& times, std::size_t bytes);

}  // namespace tuner

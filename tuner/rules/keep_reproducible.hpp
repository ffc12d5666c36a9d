// SPDX-License-Identifier: MIT
// Rules that keep the bits of the results of reductions, as far as the user wants that.
#pragma once

#include <string>
#include <vector>

#include "cells.hpp"
#include "config.hpp"

namespace tuner {

// Algorithms that change more than `wanted` allows become missing, at all sizes of a cell; adds a note for
// each of a collective.
void keep_reproducible(Cells& cells, models::Reproducible wanted, std::vector<std::string>& notes);

// Without rules for reductions where nothing was measured: which bits the default has there is not known
void drop_unknown_bits(std::vector<Rule>& rules, models::Reproducible wanted);

}  // namespace tuner

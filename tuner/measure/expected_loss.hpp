// SPDX-License-Identifier: MIT
// What the rules of a cell would lose against the best algorithms if the search stopped now.
#pragma once

#include "cells.hpp"
#include "plan.hpp"

namespace tuner {

// Between two neighbouring measured sizes, on average over all sizes between them (uniform in their
// logarithm)
double expected_loss_between(const Times& low, const Times& high, double loss_bound);

// Over all sizes of the cell that lie between measured ones
double expected_loss_of(const Cell& cell, double loss_bound);

}  // namespace tuner

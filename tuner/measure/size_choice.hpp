// SPDX-License-Identifier: MIT
// What the measured times of one size say: which algorithm is the best one, and which one a rule would use.
#pragma once

#include <string>

#include "cells.hpp"

namespace tuner {

// An algorithm that ran, and its time: the default counts as the algorithm that it chose.
struct Ran {
    std::string name;
    const CellTime* time;
};

// The fastest one
Ran best_of(const Times& times);

// What a rule would use there: the library's own choice, unless another one is known to be faster
Ran chosen_of(const Times& times, double loss_bound);

// What is expected to be lost by that choice, since the best algorithm is not known for sure (0.01: 1%)
double expected_loss_at(const Times& times, double loss_bound);

}  // namespace tuner

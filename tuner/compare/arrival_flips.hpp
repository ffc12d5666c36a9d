// SPDX-License-Identifier: MIT
// Where another algorithm is the fastest under one pattern of arrival than under the whole mix that a run was
// measured with.
#pragma once

#include <string>
#include <vector>

#include "cells.hpp"

namespace tuner {

inline constexpr double least_flip = 1.05;  // so many times as long takes what is best under the mix

struct ArrivalFlip {
    CellKey cell;
    std::size_t bytes = 0;
    std::string arrival;    // under which
    std::string algorithm;  // best under the mix
    std::string best;       // under this pattern
    double ratio = 1;       // of their times there
};

struct ArrivalFlips {
    std::size_t choices = 0;  // cells and sizes in which patterns took turns
    std::vector<ArrivalFlip> flips;

    std::size_t flipped_choices() const;  // under any pattern
};

// By medians; what left a race early is not compared
ArrivalFlips arrival_flips(const RunData& run);

std::string to_text(const ArrivalFlips& flips);  // empty: no patterns took turns

}  // namespace tuner

// SPDX-License-Identifier: MIT
// Several games of one method: their ends with intervals, and the mean loss by the seconds used.
#pragma once

#include "score.hpp"

namespace evaluation {

// Over seeds: the mean, and half of its 95% interval
struct Estimate {
    double mean = 0;
    double reach = 0;
};
Estimate estimate_of(const std::vector<double>& values);

struct Played {
    std::string method;
    std::vector<std::vector<Score>> games;  // by seed

    Estimate end(double Score::*value) const;
    // Mean loss after so many seconds of each game; `before`: the loss of a game that has not measured so
    // long
    double loss_at(double seconds, double before) const;
    // The fewest seconds after which the mean loss is at most this, and stays so; 0: never
    double seconds_to(double loss) const;
};

std::string drawn(const std::string& title, const std::vector<Played>& played,
                  double loss_of_default);  // SVG

}  // namespace evaluation

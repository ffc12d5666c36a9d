// SPDX-License-Identifier: MIT
// What a choice of algorithms costs: its time against that of the best one, by the truth.
#pragma once

#include "method.hpp"

namespace evaluation {

struct Score {
    double seconds = 0;  // of benchmarks, up to now
    double launches = 0;
    double mean_loss = 0;
    double loss_95 = 0;  // of 95% of the calls it is at most this
    double worst_loss = 0;
    double slower = 0;  // calls that are more than 5% slower than the default
    double calls = 0;
    double rules = 0;
    double expected_loss = 0;  // that the method tells, by what it measured
};

// At all sizes of a fine grid in each cell
Score score_of(const Setting& setting, const calibration::Truth& truth, const Choice& choice);

// Plays a method to its end. Scores it whenever its seconds have grown by `step`, and at the end.
std::vector<Score> played(const Setting& setting, const calibration::SimulatedCluster& cluster,
                          Method& method, double step = 1.25);

}  // namespace evaluation

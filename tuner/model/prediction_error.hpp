// SPDX-License-Identifier: MIT
// How far the model of a network is off where nothing was measured: from the times of each algorithm and
// layout, predicted by a fit without them. The parameters' own intervals are small beside that.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "statistics.hpp"

namespace tuner {

// Of one measured time
struct HeldOutError {
    std::string collective;
    std::size_t cluster;  // of the algorithm on its layout
    double residual;      // log(measured / predicted without the cluster)
};

class PredictionError {
  public:
    PredictionError() = default;  // nothing is known
    explicit PredictionError(const std::vector<HeldOutError>& errors);

    // Holds 95% of the measured times of an algorithm for which the model says `seconds`: by the errors of
    // its collective if five algorithms and layouts of it were measured, of all collectives otherwise. From
    // zero to infinity if fewer than two were measured.
    models::Interval interval(const std::string& collective, double seconds) const;

    std::size_t clusters() const { return all_.squares.size(); }
    double typical() const { return typical_; }  // median of |predicted / measured - 1|

  private:
    struct Spread {
        std::vector<double> squares;  // mean square of the residuals of each cluster
        double reach() const;         // of a 95% interval, logarithmic
    };

    Spread all_;
    std::map<std::string, Spread> by_collective_;
    double typical_ = 0;
};

}  // namespace tuner

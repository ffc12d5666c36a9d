// SPDX-License-Identifier: MIT
// The parameters of a network, fitted to measured times of collectives: all algorithms on all layouts
// together. Few observations give rough parameters, more give better ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cost.hpp"
#include "fitted.hpp"

namespace models {

// One measured time
struct Observation {
    const Profile* profile;  // of the algorithm on its layout, see CostTable
    double bytes;
    double seconds;
    std::string_view algorithm;  // what residuals are grouped by
    // A number for each collective, algorithm and layout: the model's error has the same sign for most of its
    // sizes. All 0: errors are taken for independent.
    std::size_t cluster = 0;
};

struct AlgorithmResidual {
    std::string_view algorithm;
    std::size_t observations;
    double median_error;  // relative, without sign
    double bias;          // median of log(measured / predicted): above 0 if the model is too fast
};

struct NetworkFit {
    Parameters parameters;
    FitResult fit;                                // intervals, what is unknown, residual of each observation
    std::vector<AlgorithmResidual> by_algorithm;  // in the order in which they first occur
    std::vector<std::size_t> unexplained;         // positions of observations that the fit gives no weight
};

// `shape` has the limits of the protocols and the kinds of contention; its other values do not matter. Throws
// std::invalid_argument if there is nothing to fit.
NetworkFit fit_network(const std::vector<Observation>& observations, const Parameters& shape);

}  // namespace models

// SPDX-License-Identifier: MIT
// What a fit finds: parameters with their intervals, and how far each sample is from the model.
#pragma once

#include <string>
#include <vector>

#include "statistics.hpp"

namespace models {

enum class Determined {
    estimated,
    at_zero,  // the best value is zero or negative; the interval says how large it may still be
    unknown,  // no sample or prior depends on it, or only together with others: the value is one of many
};

struct FittedParameter {
    std::string name;
    double value;
    Interval interval;  // 95%
    Determined determined;
};

struct FitResult {
    std::vector<FittedParameter> parameters;
    double noise;                   // robust standard deviation of the residuals
    std::vector<double> residuals;  // log(measured / predicted) of each sample
    // The same by a fit without the sample's cluster, to first order: how far the model is off where nothing
    // was measured. Empty without clusters.
    std::vector<double> held_out_residuals;
    std::vector<double> robust_weights;  // 0: an outlier that the model does not explain
    bool converged;
};

const char* to_string(Determined determined);

}  // namespace models

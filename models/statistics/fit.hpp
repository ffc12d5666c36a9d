// SPDX-License-Identifier: MIT
// Fits a linear model with non-negative parameters, seconds = sum of feature * parameter, to measured times.
// The error is relative (the logarithm of measured / predicted), because times span decades and their noise
// grows with them. Outliers lose their weight. Parameters that are known beforehand enter as priors.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "fitted.hpp"

namespace models {

// A parameter that is known beforehand. It counts like a measurement with this relative standard deviation.
struct Prior {
    Eigen::Index parameter;  // column
    double value;
    double relative_uncertainty;
};

struct FitProblem {
    std::vector<std::string> names;  // of the parameters
    Eigen::MatrixXd features;        // a row for each sample, a column for each parameter; not negative
    Eigen::VectorXd seconds;         // measured, above zero
    std::vector<Prior> priors = {};
};

// Throws std::invalid_argument for an invalid problem (sizes that differ, negative numbers, a sample without
// features).
FitResult fit(const FitProblem& problem);

}  // namespace models

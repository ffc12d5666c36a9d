// SPDX-License-Identifier: MIT
// Fits a linear model with non-negative parameters, seconds = sum of feature * parameter, to measured times.
// The error is relative (the logarithm of measured / predicted), because times span decades and their noise
// grows with them. Outliers lose their weight. Parameters that are known beforehand enter as priors. Samples
// whose errors go together may be named as clusters: the intervals then hold all the same (fit_test measures
// 90 to 98%, where those for independent errors cover 33 to 83%).
#pragma once

#include <Eigen/Core>
#include <cstddef>
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
    // A number from 0 for each sample; samples with the same number share the sign of their error. Empty: all
    // errors are independent.
    std::vector<std::size_t> clusters = {};
};

// Throws std::invalid_argument for an invalid problem (sizes that differ, negative numbers, a sample without
// features).
FitResult fit(const FitProblem& problem);

}  // namespace models

// SPDX-License-Identifier: MIT
// Fits a model that is linear in parameters which are not negative, seconds = sum of feature * parameter, to
// measured times. The error is relative (the logarithm of measured / predicted), because times span decades
// and their noise grows with them; outliers lose their weight; values known beforehand can take part.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "fitted.hpp"

namespace models {

// A parameter that is known already, from point-to-point times for example. It counts like a measurement with
// this relative standard deviation.
struct Prior {
    Eigen::Index parameter;  // column
    double value;
    double relative_uncertainty;
};

struct FitProblem {
    std::vector<std::string> names;  // of the parameters
    Eigen::MatrixXd features;        // a row for each sample, a column for each parameter; not negative
    Eigen::VectorXd seconds;         // measured, above zero
    Eigen::VectorXd weights = {};    // of the samples; empty: all 1. With 0 a sample only gets its residual
    std::vector<Prior> priors = {};
    double expected_noise = 0.05;  // relative; assumed at least while samples are too few to tell
};

// Throws std::invalid_argument for a problem that makes no sense (sizes that differ, negative numbers, a
// sample without any feature).
Fit fit(const FitProblem& problem);

double predicted_seconds(const Fit& fit, const Eigen::VectorXd& features);

}  // namespace models

// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <algorithm>
#include <cmath>

#include "fit.hpp"

namespace models {

namespace {

// An outlier in the sense of the fit: Tukey's weight is 0 from 4.7 standard deviations on
constexpr double no_weight = 1e-6;

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return median(values);
}

std::vector<AlgorithmResidual> residuals_by_algorithm(const std::vector<Observation>& observations,
                                                      const std::vector<double>& residuals) {
    std::vector<AlgorithmResidual> rows;
    std::vector<std::vector<double>> logs;
    for (std::size_t i = 0; i < observations.size(); ++i) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const AlgorithmResidual& r) {
            return r.algorithm == observations[i].algorithm;
        });
        const auto position = static_cast<std::size_t>(row - rows.begin());
        if (row == rows.end()) {
            rows.push_back({observations[i].algorithm, 0, 0, 0});
            logs.emplace_back();
        }
        logs[position].push_back(residuals[i]);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<double> errors;
        for (const double residual : logs[i]) {
            errors.push_back(std::abs(std::expm1(-residual)));  // |predicted - measured| / measured
        }
        rows[i].observations = logs[i].size();
        rows[i].median_error = median_of(std::move(errors));
        rows[i].bias = median_of(std::move(logs[i]));
    }
    return rows;
}

}  // namespace

NetworkFit fit_network(const std::vector<Observation>& observations, const Parameters& shape) {
    FitProblem problem;
    problem.names = shape.names();
    const auto rows = static_cast<Eigen::Index>(observations.size());
    problem.features.resize(rows, static_cast<Eigen::Index>(problem.names.size()));
    problem.seconds.resize(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
        const Observation& observation = observations[static_cast<std::size_t>(i)];
        const std::vector<double> row = features(*observation.profile, observation.bytes, shape);
        problem.features.row(i) =
            Eigen::Map<const Eigen::RowVectorXd>(row.data(), static_cast<Eigen::Index>(row.size()));
        problem.seconds[i] = observation.seconds;
        problem.clusters.push_back(observation.cluster);
    }
    NetworkFit result{shape, fit(problem), {}, {}};
    std::vector<double> values;
    for (const FittedParameter& parameter : result.fit.parameters) {
        values.push_back(parameter.value);
    }
    result.parameters.set_values(values);
    result.by_algorithm = residuals_by_algorithm(observations, result.fit.residuals);
    for (std::size_t i = 0; i < observations.size(); ++i) {
        if (result.fit.robust_weights[i] < no_weight) {
            result.unexplained.push_back(i);
        }
    }
    return result;
}

}  // namespace models

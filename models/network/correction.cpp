// SPDX-License-Identifier: MIT
#include "correction.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <bit>
#include <cmath>

namespace models {

namespace {

// The prior's own scale counts like this many samples
constexpr double samples_of_prior = 20;

double square(double x) {
    return x * x;
}

// Times change smoothly with the size (Matern, 3/2), but for the steps of protocols, which the model has
double size_correlation(const CorrectedCase& a, const CorrectedCase& b, const CorrectionPrior& prior) {
    const double distance = std::sqrt(3.0) * std::abs(a.log2_bytes - b.log2_bytes) / prior.bytes_length;
    return (1 + distance) * std::exp(-distance);
}

}  // namespace

double layout_correlation(const CorrectedCase& a, const CorrectedCase& b, const CorrectionPrior& prior) {
    const double distance =
        std::sqrt(square((a.log2_nodes - b.log2_nodes) / prior.nodes_length) +
                  square((a.log2_ppn - b.log2_ppn) / prior.ppn_length) +
                  square((a.is_power_of_two - b.is_power_of_two) / prior.power_of_two_length) +
                  square((a.is_round_robin - b.is_round_robin) / prior.mapping_length) +
                  square((a.is_uneven - b.is_uneven) / prior.uneven_length));
    return std::exp(-distance);
}

CorrectedCase corrected_case(std::size_t algorithm, const RankPlacement& layout, double bytes) {
    const std::vector<int> on_nodes = layout.ranks_on_nodes();
    const auto [fewest, most] = std::minmax_element(on_nodes.begin(), on_nodes.end());
    const bool has_mapping = layout.nodes > 1 && *most > 1;
    const bool is_block = std::is_sorted(layout.node_of_rank.begin(), layout.node_of_rank.end());
    return {algorithm,
            std::log2(layout.nodes),
            std::log2(static_cast<double>(layout.ranks()) / layout.nodes),
            std::log2(bytes),
            std::has_single_bit(static_cast<unsigned>(layout.ranks())),
            has_mapping && !is_block,
            *fewest != *most};
}

Correction::Correction(std::vector<CorrectionSample> samples, const CorrectionPrior& prior)
    : prior_(prior), samples_(std::move(samples)) {
    const auto n = static_cast<Eigen::Index>(samples_.size());
    Eigen::MatrixXd all(n, n);
    Eigen::VectorXd residuals(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const CorrectionSample& sample = samples_[static_cast<std::size_t>(i)];
        for (Eigen::Index j = 0; j <= i; ++j) {
            all(i, j) = covariance(sample.at, samples_[static_cast<std::size_t>(j)].at);
        }
        all(i, i) += square(prior_.independent) + square(sample.standard_error);
        residuals(i) = sample.residual;
    }
    factor_ = all.selfadjointView<Eigen::Lower>().llt().matrixL();
    whitened_ = factor_.triangularView<Eigen::Lower>().solve(residuals);
    scale_ =
        std::sqrt((whitened_.squaredNorm() + samples_of_prior) / (static_cast<double>(n) + samples_of_prior));
}

double Correction::covariance(const CorrectedCase& a, const CorrectedCase& b) const {
    const double near = layout_correlation(a, b, prior_) * size_correlation(a, b, prior_);
    const double own = square(prior_.algorithm) + square(prior_.local) * near;
    return square(prior_.shared) * near + (a.algorithm == b.algorithm ? own : 0);
}

Correction::Predicted Correction::at(const std::vector<CorrectedCase>& cases) const {
    const auto n = static_cast<Eigen::Index>(samples_.size());
    const auto m = static_cast<Eigen::Index>(cases.size());
    Eigen::MatrixXd cross(n, m);
    Predicted predicted{Eigen::VectorXd(m), Eigen::MatrixXd(m, m)};
    for (Eigen::Index j = 0; j < m; ++j) {
        const CorrectedCase& at = cases[static_cast<std::size_t>(j)];
        for (Eigen::Index i = 0; i < n; ++i) {
            cross(i, j) = covariance(samples_[static_cast<std::size_t>(i)].at, at);
        }
        for (Eigen::Index i = 0; i < m; ++i) {
            predicted.covariance(i, j) = covariance(cases[static_cast<std::size_t>(i)], at);
        }
        predicted.covariance(j, j) += square(prior_.independent);
    }
    factor_.triangularView<Eigen::Lower>().solveInPlace(cross);
    predicted.mean = cross.transpose() * whitened_;
    predicted.covariance -= cross.transpose() * cross;
    predicted.covariance *= square(scale_);
    return predicted;
}

}  // namespace models

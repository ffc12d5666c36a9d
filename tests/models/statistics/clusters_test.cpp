// SPDX-License-Identifier: MIT
// Against what can be worked out on paper: the mean of samples in clusters is a fit with one parameter.
#include "clusters.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "student.hpp"

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Numbers = std::vector<std::size_t>;

// The solution of an unweighted problem whose normal equations are diagonal
struct Solved {
    MatrixXd rows;
    VectorXd residuals;
    VectorXd weights = VectorXd::Ones(rows.rows());
    MatrixXd root = (rows.transpose() * rows).diagonal().cwiseInverse().cwiseSqrt().asDiagonal();

    models::ClusterEffects effects(const Numbers& clusters) const {
        return models::cluster_effects({rows, weights, residuals, root}, clusters);
    }
};

// 1, 3 | 5, 7 | 9, 11 with their mean, 6
Solved mean_of_three_pairs() {
    VectorXd residuals(6);
    residuals << -5, -3, -1, 1, 3, 5;
    return {MatrixXd::Ones(6, 1), residuals};
}
const Numbers pairs = {0, 0, 1, 1, 2, 2};

TEST(Clusters, VarianceIsThatOfTheMeansOfClusters) {
    // means 2, 6, 10: 32 / (3 * 2)
    EXPECT_NEAR(mean_of_three_pairs().effects(pairs).variances[0], 32.0 / 6, 1e-12);
    // each sample for itself: 70 / (6 * 5)
    EXPECT_NEAR(mean_of_three_pairs().effects({0, 1, 2, 3, 4, 5}).variances[0], 70.0 / 30, 1e-12);
}

TEST(Clusters, HeldOutResidualsAreAgainstTheMeanOfTheOthers) {
    const VectorXd held_out = mean_of_three_pairs().effects(pairs).held_out_residuals;
    const double expected[] = {1 - 8, 3 - 8, 5 - 6, 7 - 6, 9 - 4, 11 - 4};
    for (Eigen::Index i = 0; i < 6; ++i) {
        EXPECT_NEAR(held_out[i], expected[i], 1e-12) << i;
    }
}

// Three clusters of the same influence: the mean of 2 and 3 degrees of freedom
TEST(Clusters, QuantilesCountClustersNotSamples) {
    const VectorXd student = mean_of_three_pairs().effects(pairs).student_95;
    EXPECT_NEAR(student[0], models::student_quantile(0.025, std::sqrt(6)), 1e-12);
}

TEST(Clusters, WhatOneClusterAloneDeterminesHasTheSpreadOfTheOthers) {
    // the second parameter is in the last two samples only, which fit it exactly
    MatrixXd rows(8, 2);
    rows << MatrixXd::Ones(6, 1), MatrixXd::Zero(6, 1), MatrixXd::Zero(2, 1), MatrixXd::Ones(2, 1);
    VectorXd residuals(8);
    residuals << mean_of_three_pairs().residuals, 0, 0;
    const auto effects = Solved{rows, residuals}.effects({0, 0, 1, 1, 2, 2, 3, 3});
    // the three others have errors of -4, 0 and 4, and the mean took one of three degrees of freedom: 32 / 2
    EXPECT_NEAR(effects.variances[1], 3.0 / 4 * 16, 1e-12);
    EXPECT_NEAR(effects.student_95[1], models::student_quantile(0.025, std::sqrt(3)), 1e-12);
    EXPECT_GT(effects.student_95[1], effects.student_95[0]);
}

TEST(Clusters, WithoutWeightCountsNothing) {
    Solved with_outliers = mean_of_three_pairs();  // whose normal equations stay
    with_outliers.rows = MatrixXd::Ones(8, 1);
    with_outliers.residuals.conservativeResize(8);
    with_outliers.residuals.tail(2).setConstant(1000);
    with_outliers.weights = VectorXd::Ones(8);
    with_outliers.weights.tail(2).setZero();
    const auto effects = with_outliers.effects({0, 0, 1, 1, 2, 2, 2, 2});
    EXPECT_NEAR(effects.variances[0], 32.0 / 6, 1e-12);
}

TEST(Clusters, NumbersMayHaveGaps) {
    const auto effects = mean_of_three_pairs().effects({7, 7, 0, 0, 3, 3});
    EXPECT_NEAR(effects.variances[0], 32.0 / 6, 1e-12);
    EXPECT_NEAR(effects.held_out_residuals[0], -7, 1e-12);
    EXPECT_EQ(models::count_of({7, 7, 0, 0, 3, 3}), 3u);
    EXPECT_EQ(models::count_of({}), 0u);
}

}  // namespace

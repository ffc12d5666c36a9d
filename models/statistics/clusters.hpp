// SPDX-License-Identifier: MIT
// Samples whose errors go together, such as all sizes of one algorithm on one layout: the model is wrong
// about them in the same direction, so that they say less about the parameters than as many independent
// samples.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace models {

// A weighted least squares problem at its solution
struct SolvedProblem {
    const Eigen::MatrixXd& rows;
    const Eigen::VectorXd& weights;
    const Eigen::VectorXd& residuals;
    const Eigen::MatrixXd& root;  // of the inverse of the normal equations: root * root' is the inverse
};

struct ClusterEffects {
    // Of the parameters: the jackknife over clusters (CR3, Bell and McCaffrey 2002). What only one cluster
    // determines has no residual; there the spread between the clusters counts instead.
    Eigen::VectorXd variances;
    // Student's quantiles of 95% intervals: few clusters may determine a parameter, also where there are many
    Eigen::VectorXd student_95;
    Eigen::VectorXd held_out_residuals;  // of a fit without the sample's cluster, to first order
};

// `clusters` has a number from 0 for each row.
ClusterEffects cluster_effects(const SolvedProblem& problem, const std::vector<std::size_t>& clusters);

std::size_t count_of(const std::vector<std::size_t>& clusters);  // those with a sample

}  // namespace models

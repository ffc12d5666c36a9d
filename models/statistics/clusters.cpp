// SPDX-License-Identifier: MIT
#include "clusters.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <set>

#include "student.hpp"

namespace models {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A direction of the parameters of which the other clusters know less than this share is the cluster's own.
// With 0.4 the intervals of simulated fits are narrowest among 0 to 0.4, and cover as often.
constexpr double least_share_of_others = 0.4;

// In coordinates in which the normal equations are the identity
struct Cluster {
    std::vector<Index> samples;
    MatrixXd rows;    // not weighted
    VectorXd score;   // sum of weight * residual * row
    VectorXd center;  // sum of weight * row: how one error of all samples moves the solution
    double weight = 0;
    double error = 0;  // mean residual
};

std::vector<Cluster> clusters_of(const SolvedProblem& problem, const std::vector<std::size_t>& numbers) {
    std::vector<Cluster> clusters(*std::max_element(numbers.begin(), numbers.end()) + 1);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        clusters[numbers[i]].samples.push_back(static_cast<Index>(i));
    }
    std::erase_if(clusters, [](const Cluster& cluster) { return cluster.samples.empty(); });
    for (Cluster& cluster : clusters) {
        const VectorXd weights = problem.weights(cluster.samples);
        const VectorXd residuals = problem.residuals(cluster.samples);
        cluster.rows = problem.rows(cluster.samples, Eigen::all) * problem.root;
        cluster.score = cluster.rows.transpose() * weights.cwiseProduct(residuals);
        cluster.center = cluster.rows.transpose() * weights;
        cluster.weight = weights.sum();
        cluster.error = cluster.weight > 0 ? weights.dot(residuals) / cluster.weight : 0;
    }
    return clusters;
}

// Variance of the errors of clusters, by the method of moments: the solution takes some of each error away
double variance_between(const std::vector<Cluster>& clusters) {
    double squares = 0;
    double free = 0;
    for (const Cluster& cluster : clusters) {
        if (cluster.weight > 0) {
            squares += cluster.error * cluster.error;
            free += std::max(0.0, 1 - cluster.center.squaredNorm() / cluster.weight);
        }
    }
    return squares / std::max(1.0, free);
}

// By how much the solution moves when a cluster is left out
class LeftOut {
  public:
    LeftOut(const Cluster& cluster, const VectorXd& weights)
        : solver_(MatrixXd::Identity(cluster.rows.cols(), cluster.rows.cols()) -
                  cluster.rows.transpose() * weights.asDiagonal() * cluster.rows),
          score_(vectors().transpose() * cluster.score),
          center_(vectors().transpose() * cluster.center) {}

    // Of an error of one of all samples of the cluster
    VectorXd move_by_common_error() const {
        return vectors() * center_.cwiseQuotient(share_of_others().cwiseMax(least_share_of_others));
    }

    VectorXd move() const {
        return vectors() * score_.cwiseQuotient(share_of_others().cwiseMax(least_share_of_others));
    }

    MatrixXd square(double variance_between_clusters) const {
        const auto is_shared = share_of_others().array() >= least_share_of_others;
        const VectorXd shared = vectors() * is_shared.select(score_.cwiseQuotient(share_of_others()), 0);
        const VectorXd own = is_shared.select(0, center_.cwiseAbs2());
        return shared * shared.transpose() +
               variance_between_clusters * vectors() * own.asDiagonal() * vectors().transpose();
    }

  private:
    const MatrixXd& vectors() const { return solver_.eigenvectors(); }
    const VectorXd& share_of_others() const { return solver_.eigenvalues(); }

    Eigen::SelfAdjointEigenSolver<MatrixXd> solver_;
    VectorXd score_;
    VectorXd center_;
};

// Between what the number of clusters and what the number of those that determine the parameter would give
// (Satterthwaite 1946): the geometric mean of both covers best in simulated fits.
VectorXd student_95(const MatrixXd& influences) {
    const double all = static_cast<double>(influences.cols() - 1);
    VectorXd quantiles(influences.rows());
    for (Index j = 0; j < influences.rows(); ++j) {
        const double squares = influences.row(j).squaredNorm();
        const double determining = squares > 0 ? std::pow(influences.row(j).sum(), 2) / squares : 1;
        quantiles[j] = student_quantile(0.025, std::max(1.0, std::sqrt(all * determining)));
    }
    return quantiles;
}

}  // namespace

std::size_t count_of(const std::vector<std::size_t>& clusters) {
    return std::set<std::size_t>(clusters.begin(), clusters.end()).size();
}

ClusterEffects cluster_effects(const SolvedProblem& problem, const std::vector<std::size_t>& numbers) {
    const std::vector<Cluster> clusters = clusters_of(problem, numbers);
    const double between = variance_between(clusters);
    const Index columns = problem.root.cols();
    MatrixXd squares = MatrixXd::Zero(columns, columns);
    MatrixXd influences(columns, clusters.size());
    ClusterEffects effects{{}, {}, problem.residuals};
    for (std::size_t i = 0; i < clusters.size(); ++i) {
        const Cluster& cluster = clusters[i];
        const LeftOut left_out(cluster, problem.weights(cluster.samples));
        squares += left_out.square(between);
        influences.col(static_cast<Index>(i)) = (problem.root * left_out.move_by_common_error()).cwiseAbs2();
        effects.held_out_residuals(cluster.samples) += cluster.rows * left_out.move();
    }
    const auto count = static_cast<double>(clusters.size());
    effects.variances = (count - 1) / count * (problem.root * squares * problem.root.transpose()).diagonal();
    effects.student_95 = student_95(influences);
    return effects;
}

}  // namespace models

// SPDX-License-Identifier: MIT
// An MM-estimate (Yohai 1987) by iteratively reweighted Gauss-Newton steps: a start that large times cannot
// draw far, Huber's weights until the scale of the noise is found, then Tukey's with that scale fixed. Each
// step is a non-negative least squares problem on the small matrix of normal equations.
#include "fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "clusters.hpp"

namespace models {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Flags = Eigen::Array<bool, Eigen::Dynamic, 1>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double z_95 = 1.959963984540054;
constexpr int max_iterations = 100;
constexpr double converged_change = 1e-7;  // relative, of every prediction
constexpr double null_eigenvalue = 1e-9;   // of normal equations with ones on the diagonal
constexpr Index min_degrees_of_freedom = 5;
constexpr double expected_noise = 0.05;  // relative; the least that is assumed while samples are few

// Huber's and Tukey's functions at 95% efficiency under normal noise (Holland and Welsch 1977). `x` is a
// residual in units of the noise; loss' = x * weight.
struct Robust {
    double (*loss)(double x);
    double (*weight)(double x);
};

constexpr double huber_c = 1.345;
constexpr double tukey_c = 4.685;

const Robust huber = {
    [](double x) {
        const double a = std::abs(x);
        return a <= huber_c ? a * a / 2 : huber_c * (a - huber_c / 2);
    },
    [](double x) { return std::abs(x) <= huber_c ? 1 : huber_c / std::abs(x); },
};

const Robust tukey = {
    [](double x) {
        const double rest = std::max(0.0, 1 - x * x / (tukey_c * tukey_c));
        return tukey_c * tukey_c / 6 * (1 - rest * rest * rest);
    },
    [](double x) {
        const double rest = std::max(0.0, 1 - x * x / (tukey_c * tukey_c));
        return rest * rest;
    },
};

// Derivative of the influence x * weight
double tukey_slope(double x) {
    const double part = x * x / (tukey_c * tukey_c);
    return part < 1 ? (1 - part) * (1 - 5 * part) : 0.0;
}

void check(const FitProblem& problem) {
    const auto fail = [](const std::string& what) { throw std::invalid_argument("fit: " + what); };
    const Index rows = problem.features.rows();
    const Index columns = problem.features.cols();
    if (static_cast<Index>(problem.names.size()) != columns || columns == 0) {
        fail("expected a name for each of the " + std::to_string(columns) + " columns");
    }
    if (problem.seconds.size() != rows) {
        fail("features and seconds differ in their number of samples");
    }
    for (Index i = 0; i < rows; ++i) {
        const auto features = problem.features.row(i);
        if (!features.allFinite() || features.minCoeff() < 0 || features.maxCoeff() <= 0) {
            fail("sample " + std::to_string(i) + " has a negative feature, or none above zero");
        }
        if (!(problem.seconds[i] > 0) || !std::isfinite(problem.seconds[i])) {
            fail("sample " + std::to_string(i) + " has a time that is not above zero");
        }
    }
    if (!problem.clusters.empty() && static_cast<Index>(problem.clusters.size()) != rows) {
        fail("clusters and seconds differ in their number of samples");
    }
    for (const Prior& prior : problem.priors) {
        if (prior.parameter < 0 || prior.parameter >= columns || !(prior.value > 0) ||
            !(prior.relative_uncertainty > 0)) {
            fail("a prior must name a parameter of the model, with a value and an uncertainty above zero");
        }
    }
}

std::vector<Index> positions(const Flags& flags) {
    std::vector<Index> found;
    for (Index i = 0; i < flags.size(); ++i) {
        if (flags[i]) {
            found.push_back(i);
        }
    }
    return found;
}

// 1 / sqrt of the diagonal, with which a matrix of normal equations gets ones there; 0 for an empty column
VectorXd column_scale(const MatrixXd& gram) {
    const auto diagonal = gram.diagonal().array();
    return (diagonal > 0).select(diagonal.rsqrt(), 0);
}

// min |Ax - b| with x >= 0, from gram = A'A and right = A'b (Lawson and Hanson 1974, chapter 23; Bro and De
// Jong 1997). Columns are brought to the same length first: they span many decades.
VectorXd non_negative_least_squares(const MatrixXd& unscaled_gram, const VectorXd& unscaled_right) {
    const Index n = unscaled_gram.rows();
    const VectorXd scale = column_scale(unscaled_gram);
    const MatrixXd gram = scale.asDiagonal() * unscaled_gram * scale.asDiagonal();
    const VectorXd right = scale.cwiseProduct(unscaled_right);
    const double tolerance = 1e-11 * right.cwiseAbs().maxCoeff();

    VectorXd x = VectorXd::Zero(n);
    Flags used = Flags::Constant(n, false);
    for (Index step = 0; step < 5 * n; ++step) {
        const VectorXd gradient = used.select(-infinity, right - gram * x);
        Index best = 0;
        if (gradient.maxCoeff(&best) <= tolerance) {
            break;
        }
        used[best] = true;
        double part = 0;  // of the way to the wanted values that keeps all of them positive
        while (part < 1 && used.any()) {
            const std::vector<Index> passive = positions(used);
            const VectorXd wanted = gram(passive, passive).ldlt().solve(right(passive));
            const VectorXd now = x(passive);
            part = 1;
            for (Index k = 0; k < wanted.size(); ++k) {
                if (wanted[k] <= 0) {
                    part = std::min(part, now[k] > 0 ? now[k] / (now[k] - wanted[k]) : 0);
                }
            }
            for (Index k = 0; k < wanted.size(); ++k) {
                x[passive[static_cast<std::size_t>(k)]] = now[k] + part * (wanted[k] - now[k]);
            }
            if (part < 1) {
                used = used && x.array() > 1e-14 * x.maxCoeff();
                x = used.select(x, 0);
            }
        }
    }
    return scale.cwiseProduct(x);
}

struct Inverse {
    MatrixXd inverse;  // on what is not null
    MatrixXd root;     // root * root' is the inverse
    Flags null;        // columns that are zero or a combination of others
};

Inverse inverse_of(const MatrixXd& unscaled_gram) {
    const Index n = unscaled_gram.rows();
    const VectorXd scale = column_scale(unscaled_gram);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(scale.asDiagonal() * unscaled_gram *
                                                         scale.asDiagonal());
    const MatrixXd& vectors = solver.eigenvectors();
    VectorXd inverse_values = VectorXd::Zero(n);
    VectorXd share_of_null = VectorXd::Zero(n);
    for (Index k = 0; k < n; ++k) {
        if (solver.eigenvalues()[k] > null_eigenvalue) {
            inverse_values[k] = 1 / solver.eigenvalues()[k];
        } else {
            share_of_null += vectors.col(k).cwiseAbs2();
        }
    }
    const MatrixXd root = scale.asDiagonal() * vectors * inverse_values.cwiseSqrt().asDiagonal();
    return {root * root.transpose(), root, share_of_null.array() > 1e-6};
}

class Estimator {
  public:
    explicit Estimator(const FitProblem& problem)
        : problem_(problem),
          features_(problem.features),
          seconds_(problem.seconds),
          clusters_(count_of(problem.clusters)) {}

    FitResult estimate() {
        start();
        const bool huber_converged = iterate(huber, true);
        const bool tukey_converged = iterate(tukey, false);
        return result(huber_converged && tukey_converged);
    }

  private:
    Index samples() const { return seconds_.size(); }
    Index columns() const { return features_.cols(); }
    Index degrees_of_freedom() const { return samples() - columns(); }
    bool too_few() const { return degrees_of_freedom() < min_degrees_of_freedom; }
    bool has_clusters() const { return clusters_ > 1; }

    void set(const VectorXd& parameters) {
        parameters_ = parameters;
        predicted_ = features_ * parameters_;
        residuals_ = (seconds_.array() / predicted_.array()).log();
    }

    MatrixXd relative_features() const { return predicted_.cwiseInverse().asDiagonal() * features_; }

    // Of the equation parameter / value = 1, weighted against samples with this noise
    VectorXd prior_gram() const {
        VectorXd diagonal = VectorXd::Zero(columns());
        for (const Prior& prior : problem_.priors) {
            diagonal[prior.parameter] += std::pow(noise_ / (prior.relative_uncertainty * prior.value), 2);
        }
        return diagonal;
    }

    VectorXd solve(const MatrixXd& rows, const VectorXd& targets, const VectorXd& weights) const {
        const MatrixXd weighted = weights.asDiagonal() * rows;
        MatrixXd gram = rows.transpose() * weighted;
        VectorXd right = weighted.transpose() * targets;
        gram.diagonal() += prior_gram();
        for (const Prior& prior : problem_.priors) {
            right[prior.parameter] += std::pow(noise_ / prior.relative_uncertainty, 2) / prior.value;
        }
        return non_negative_least_squares(gram, right);
    }

    // Least squares of predicted / measured - 1: a sample that took 20 times too long weighs next to nothing
    void start() {
        const MatrixXd rows = seconds_.cwiseInverse().asDiagonal() * features_;
        VectorXd parameters = solve(rows, VectorXd::Ones(samples()), VectorXd::Ones(samples()));
        // every prediction must have a logarithm: leave a thousandth of what the parameter could explain
        for (Index j = 0; j < columns(); ++j) {
            const double largest = samples() ? rows.col(j).maxCoeff() : 0;
            if (largest > 0) {
                parameters[j] = std::max(parameters[j], 1e-3 / largest);
            }
        }
        set(parameters);
    }

    double estimated_noise() const {
        if (samples() == 0) {
            return expected_noise;
        }
        std::vector<double> sizes(residuals_.begin(), residuals_.end());
        std::transform(sizes.begin(), sizes.end(), sizes.begin(), [](double r) { return std::abs(r); });
        std::sort(sizes.begin(), sizes.end());
        const auto free = static_cast<double>(std::max<Index>(1, degrees_of_freedom()));
        const double per_median = 1.4826;  // standard deviation of a normal / median of its size
        const double noise = per_median * median(sizes) * std::sqrt(static_cast<double>(samples()) / free);
        return std::max(noise, too_few() ? expected_noise : 1e-9);
    }

    double loss(const Robust& robust) const {
        if (samples() && predicted_.minCoeff() <= 0) {
            return infinity;
        }
        double sum = 0;
        for (Index i = 0; i < samples(); ++i) {
            sum += robust.loss(residuals_[i] / noise_);
        }
        for (const Prior& prior : problem_.priors) {
            const double error = parameters_[prior.parameter] / prior.value - 1;
            sum += std::pow(error / prior.relative_uncertainty, 2) / 2;
        }
        return sum;
    }

    VectorXd robust_weights(const Robust& robust) const {
        return residuals_.unaryExpr([&](double r) { return robust.weight(r / noise_); });
    }

    // Gauss-Newton: log(predicted) is linear in the parameters near the present ones, so that the next ones
    // solve relative features * parameters = 1 + residual. A step that does not lower the loss is halved.
    bool iterate(const Robust& robust, bool update_noise) {
        for (int iteration = 0; iteration < max_iterations; ++iteration) {
            if (update_noise) {
                noise_ = estimated_noise();
            }
            const double loss_before = loss(robust);
            const VectorXd before = parameters_;
            const VectorXd predicted_before = predicted_;
            const VectorXd wanted =
                solve(relative_features(), residuals_.array() + 1, robust_weights(robust));
            double part = 1;
            set(wanted);
            while (!(loss(robust) <= loss_before * (1 + 1e-12)) && part > 1e-6) {
                part /= 2;
                set(before + part * (wanted - before));
            }
            if (samples() == 0 ||
                (predicted_.array() / predicted_before.array() - 1).abs().maxCoeff() < converged_change) {
                return true;
            }
        }
        return false;
    }

    // Some of the parameters at the solution, the others held at zero
    struct Solution {
        MatrixXd rows;
        VectorXd weights;
        MatrixXd gram;
        MatrixXd priors;
        Inverse inverse;
    };

    Solution solution(const std::vector<Index>& subset) const {
        Solution solution{relative_features()(Eigen::all, subset), robust_weights(tukey), {}, {}, {}};
        solution.gram = solution.rows.transpose() * solution.weights.asDiagonal() * solution.rows;
        solution.priors = prior_gram()(subset).asDiagonal();
        solution.inverse = inverse_of(solution.gram + solution.priors);
        return solution;
    }

    double sum_of_slopes() const {
        return residuals_.unaryExpr([this](double r) { return tukey_slope(r / noise_); }).sum();
    }

    // As of a fit without the sample
    VectorXd enlarged_residuals(const Solution& s) const {
        const VectorXd leverages = s.weights.cwiseProduct((s.rows * s.inverse.root).rowwise().squaredNorm());
        return residuals_.array() / (1 - leverages.array()).max(0.1);
    }

    // Half the width of the 95% intervals. The sandwich of Huber (1973), with clusters, or with residuals
    // enlarged by their leverage (HC3, MacKinnon and White 1985): the noise may differ between samples.
    VectorXd reach(const std::vector<Index>& subset) const {
        const Solution s = solution(subset);
        if (too_few()) {
            return z_95 * noise_ * s.inverse.inverse.diagonal().cwiseSqrt();
        }
        const double slope_per_weight = sum_of_slopes() / s.weights.sum();
        const MatrixXd bread = inverse_of(slope_per_weight * s.gram + s.priors).inverse;
        const MatrixXd of_priors = noise_ * noise_ * s.priors;
        if (has_clusters()) {
            const SolvedProblem solved{s.rows, s.weights, residuals_, s.inverse.root};
            const ClusterEffects effects = cluster_effects(solved, problem_.clusters);
            const VectorXd variances =
                effects.variances / std::pow(slope_per_weight, 2) + (bread * of_priors * bread).diagonal();
            return variances.cwiseSqrt().cwiseProduct(effects.student_95);
        }
        const VectorXd enlarged = s.weights.cwiseProduct(enlarged_residuals(s));
        const MatrixXd filling = s.rows.transpose() * enlarged.cwiseAbs2().asDiagonal() * s.rows;
        // Student's quantile by its expansion in 1 / degrees of freedom
        const double student_95 =
            z_95 + (std::pow(z_95, 3) + z_95) / (4 * static_cast<double>(degrees_of_freedom()));
        return student_95 * (bread * (filling + of_priors) * bread).diagonal().cwiseSqrt();
    }

    std::vector<double> held_out_residuals() const {
        if (!has_clusters()) {
            return {};
        }
        const Solution s = solution(positions(parameters_.array() > 0));
        const SolvedProblem solved{s.rows, s.weights, residuals_, s.inverse.root};
        const VectorXd residuals = cluster_effects(solved, problem_.clusters).held_out_residuals;
        return {residuals.begin(), residuals.end()};
    }

    std::vector<FittedParameter> parameters_with_intervals() const {
        const VectorXd weights = robust_weights(tukey);
        const MatrixXd rows = relative_features();
        MatrixXd gram = rows.transpose() * weights.asDiagonal() * rows;
        gram.diagonal() += prior_gram();
        const auto unknown = inverse_of(gram).null;

        const std::vector<Index> positive = positions(parameters_.array() > 0);
        const VectorXd reach_of_positive = reach(positive);

        std::vector<FittedParameter> result;
        Index next_positive = 0;
        for (Index j = 0; j < columns(); ++j) {
            const double value = parameters_[j];
            FittedParameter parameter{
                problem_.names[static_cast<std::size_t>(j)], value, {0, infinity}, Determined::unknown};
            const double reach_of_this = value > 0 ? reach_of_positive[next_positive++] : 0;
            if (!unknown[j] && value > 0) {
                parameter.interval = {std::max(0.0, value - reach_of_this), value + reach_of_this};
                parameter.determined = Determined::estimated;
            } else if (!unknown[j]) {
                std::vector<Index> with_this = positive;
                with_this.push_back(j);
                parameter.interval = {0, reach(with_this)(Eigen::last)};
                parameter.determined = Determined::at_zero;
            }
            result.push_back(parameter);
        }
        return result;
    }

    FitResult result(bool converged) const {
        FitResult fit;
        fit.parameters = parameters_with_intervals();
        fit.noise = estimated_noise();
        const VectorXd residuals =
            (problem_.seconds.array() / (problem_.features * parameters_).array()).log();
        fit.residuals.assign(residuals.begin(), residuals.end());
        fit.held_out_residuals = held_out_residuals();
        for (const double residual : fit.residuals) {
            fit.robust_weights.push_back(tukey.weight(residual / noise_));
        }
        fit.converged = converged;
        return fit;
    }

    const FitProblem& problem_;
    const MatrixXd& features_;
    const VectorXd& seconds_;
    std::size_t clusters_;
    VectorXd parameters_;
    VectorXd predicted_;
    VectorXd residuals_;
    double noise_ = expected_noise;
};

}  // namespace

FitResult fit(const FitProblem& problem) {
    check(problem);
    return Estimator(problem).estimate();
}

const char* to_string(Determined determined) {
    constexpr const char* names[] = {"estimated", "at zero", "unknown"};
    return names[static_cast<std::size_t>(determined)];
}

}  // namespace models

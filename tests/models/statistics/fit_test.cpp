// SPDX-License-Identifier: MIT
#include "fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using namespace models;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const std::vector<std::string> names = {"round between nodes",   "byte through an interface",
                                        "round inside a node",   "byte inside a node",
                                        "byte that is combined", "byte that is copied"};

// A fast network, in seconds
VectorXd true_parameters() {
    VectorXd truth(6);
    truth << 2e-6, 2e-10, 0.4e-6, 1e-10, 5e-10, 3e-10;
    return truth;
}

// Kinds of algorithms: rounds, bytes, combined and copied bytes on the critical path of P ranks for a message
// of m bytes. Those of short messages send everything in log2 P rounds, those of long ones parts of it.
struct Kind {
    bool sends_parts;
    double combined;  // bytes for each byte of the message
    double copied;
};
const Kind kinds[] = {{false, 0, 0}, {true, 0, 0}, {false, 1, 0}, {true, 1, 0}, {false, 0, 2}, {true, 0, 2}};

MatrixXd design(std::mt19937_64& random, Index samples) {
    MatrixXd features(samples, 6);
    for (Index i = 0; i < samples; ++i) {
        const double bytes = random() % 3 == 0
                                 ? std::exp2(3 + static_cast<double>(random() % 12))   // 8 B to 16 KiB
                                 : std::exp2(15 + static_cast<double>(random() % 8));  // 32 KiB to 4 MiB
        const Kind& kind = kinds[static_cast<std::size_t>(i) % std::size(kinds)];
        const double log_ranks = 1 + static_cast<double>(random() % 5);
        const double ranks = std::exp2(log_ranks);
        const double rounds = kind.sends_parts ? 2 * log_ranks : log_ranks;
        const double sent = bytes * (kind.sends_parts ? 2 * (1 - 1 / ranks) : log_ranks);
        const bool one_node = i / 6 % 2;
        const double ppn = one_node ? 0 : 1 + static_cast<double>(random() % 2);
        const double work = bytes * (kind.sends_parts ? 1 - 1 / ranks : log_ranks);
        features.row(i) << (one_node ? 0 : rounds), ppn * sent, (one_node ? rounds : ppn - 1),
            (one_node ? sent : (ppn - 1) * bytes), kind.combined * work, kind.copied * work;
    }
    return features;
}

// Log-normal noise; some samples take 3 to 20 times as long
VectorXd measured(std::mt19937_64& random, const MatrixXd& features, const VectorXd& truth, double noise,
                  double outliers) {
    std::normal_distribution<double> normal(0, 1);
    std::uniform_real_distribution<double> uniform(0, 1);
    VectorXd seconds = features * truth;
    for (double& s : seconds) {
        s *= std::exp(noise * normal(random));
        if (uniform(random) < outliers) {
            s *= 3 + 17 * uniform(random);
        }
    }
    return seconds;
}

FitProblem synthetic(std::mt19937_64& random, Index samples, double noise = 0.1, double outliers = 0.05) {
    FitProblem problem{names, design(random, samples), {}};
    problem.seconds = measured(random, problem.features, true_parameters(), noise, outliers);
    return problem;
}

double seconds_of(const FitResult& fit, const VectorXd& features) {
    double sum = 0;
    for (std::size_t j = 0; j < fit.parameters.size(); ++j) {
        sum += features[static_cast<Index>(j)] * fit.parameters[j].value;
    }
    return sum;
}

double relative_error(const FitResult& fit, Index j) {
    return fit.parameters[static_cast<std::size_t>(j)].value / true_parameters()[j] - 1;
}

TEST(Fit, FindsTheParametersOfNoiselessData) {
    std::mt19937_64 random(1);
    const FitResult result = fit(synthetic(random, 60, 0, 0));
    EXPECT_TRUE(result.converged);
    for (Index j = 0; j < 6; ++j) {
        EXPECT_NEAR(relative_error(result, j), 0, 1e-6) << names[static_cast<std::size_t>(j)];
    }
    EXPECT_LT(result.noise, 1e-6);
}

TEST(Fit, RecoversParametersFromNoiseAndOutliers) {
    std::mt19937_64 random(2);
    constexpr int trials = 300;
    int covered[6] = {};
    int within[6] = {};
    double bias[6] = {};
    for (int t = 0; t < trials; ++t) {
        const FitResult result = fit(synthetic(random, 200));
        EXPECT_TRUE(result.converged);
        for (Index j = 0; j < 6; ++j) {
            const FittedParameter& parameter = result.parameters[static_cast<std::size_t>(j)];
            ASSERT_EQ(parameter.determined, Determined::estimated);
            const double truth = true_parameters()[j];
            covered[j] += parameter.interval.low <= truth && truth <= parameter.interval.high;
            within[j] += std::abs(relative_error(result, j)) < 0.05;
            bias[j] += relative_error(result, j) / trials;
        }
    }
    for (std::size_t j = 0; j < 6; ++j) {
        std::printf("%s: coverage %.3f, within 5%%: %.3f, bias %.4f\n", names[j].c_str(),
                    covered[j] / static_cast<double>(trials), within[j] / static_cast<double>(trials),
                    bias[j]);
        EXPECT_GE(covered[j], 0.90 * trials) << names[j];
        EXPECT_LE(covered[j], 0.99 * trials) << names[j];
        EXPECT_GE(within[j], 0.95 * trials) << names[j];
        EXPECT_NEAR(bias[j], 0, 0.01) << names[j];
    }
}

TEST(Fit, NamesTheOutliers) {
    std::mt19937_64 random(3);
    FitProblem problem = synthetic(random, 200, 0.1, 0);
    for (Index i = 0; i < 200; i += 10) {
        problem.seconds[i] *= 3 + static_cast<double>(i) / 10;
    }
    const FitResult result = fit(problem);
    EXPECT_NEAR(result.noise, 0.1, 0.025);
    for (std::size_t i = 0; i < 200; ++i) {
        if (i % 10 == 0) {
            EXPECT_EQ(result.robust_weights[i], 0) << i;
            EXPECT_GT(result.residuals[i], 0.6) << i;
        } else {
            EXPECT_GT(result.robust_weights[i], 0.05) << i;
        }
    }
}

TEST(Fit, StandsAFifthOfOutliers) {
    std::mt19937_64 random(4);
    const FitResult result = fit(synthetic(random, 400, 0.1, 0.2));
    for (Index j = 0; j < 6; ++j) {
        EXPECT_NEAR(relative_error(result, j), 0, 0.08) << names[static_cast<std::size_t>(j)];
    }
}

TEST(Fit, DoesNotDependOnTheUnit) {
    std::mt19937_64 random(5);
    FitProblem problem = synthetic(random, 100);
    const FitResult in_seconds = fit(problem);
    problem.seconds *= 1e9;
    problem.features.col(1) /= 1048576;
    const FitResult in_nanoseconds = fit(problem);
    for (std::size_t j = 0; j < 6; ++j) {
        const double unit = j == 1 ? 1e9 * 1048576 : 1e9;
        EXPECT_NEAR(in_nanoseconds.parameters[j].value / (unit * in_seconds.parameters[j].value), 1, 1e-5);
        EXPECT_NEAR(
            in_nanoseconds.parameters[j].interval.high / (unit * in_seconds.parameters[j].interval.high), 1,
            1e-5);
    }
}

// The truth of a parameter is zero: about half of the fits find exactly that, all of them intervals with it
TEST(Fit, ParameterAtZeroIsSaidToBe) {
    VectorXd truth = true_parameters();
    truth[5] = 0;
    std::mt19937_64 random(6);
    int at_zero = 0;
    int covered = 0;
    constexpr int trials = 200;
    for (int t = 0; t < trials; ++t) {
        FitProblem problem{names, design(random, 100), {}};
        problem.seconds = measured(random, problem.features, truth, 0.1, 0.05);
        const FitResult result = fit(problem);
        const FittedParameter& copied = result.parameters[5];
        EXPECT_EQ(copied.value == 0, copied.determined == Determined::at_zero);
        EXPECT_GT(copied.interval.high, 0);
        EXPECT_LT(copied.interval.high, 1e-10);
        at_zero += copied.determined == Determined::at_zero;
        covered += copied.interval.low == 0;
        EXPECT_NEAR(result.parameters[0].value / truth[0], 1, 0.2);
    }
    EXPECT_GT(at_zero, trials * 2 / 5);
    EXPECT_LT(at_zero, trials * 3 / 5);
    EXPECT_GE(covered, 0.93 * trials);
}

TEST(Fit, SaysWhichParametersTheDataCannotTell) {
    std::mt19937_64 random(7);
    FitProblem problem = synthetic(random, 200);
    problem.features.col(4).setZero();                      // nothing is combined
    problem.features.col(3) = 3 * problem.features.col(5);  // bytes inside a node always go with copies
    problem.seconds = measured(random, problem.features, true_parameters(), 0.1, 0.05);
    const FitResult result = fit(problem);
    EXPECT_EQ(result.parameters[0].determined, Determined::estimated);
    EXPECT_EQ(result.parameters[1].determined, Determined::estimated);
    EXPECT_EQ(result.parameters[2].determined, Determined::estimated);
    for (const std::size_t j : {3, 4, 5}) {
        EXPECT_EQ(result.parameters[j].determined, Determined::unknown) << names[j];
        EXPECT_EQ(result.parameters[j].interval.low, 0);
        EXPECT_TRUE(std::isinf(result.parameters[j].interval.high));
    }
    EXPECT_EQ(result.parameters[4].value, 0);
    EXPECT_NEAR(relative_error(result, 0), 0, 0.1);
    EXPECT_NEAR(relative_error(result, 1), 0, 0.1);
    EXPECT_NEAR(relative_error(result, 2), 0, 0.1);
    EXPECT_NEAR(result.noise, 0.1, 0.03) << "what the data can tell is explained";

    // known beforehand, one of the two gives the other
    problem.priors = {{3, true_parameters()[3], 0.05}, {4, true_parameters()[4], 0.05}};
    const FitResult with_prior = fit(problem);
    for (const std::size_t j : {3, 4, 5}) {
        EXPECT_NE(with_prior.parameters[j].determined, Determined::unknown) << names[j];
    }
    EXPECT_NEAR(relative_error(with_prior, 3), 0, 0.1);
    EXPECT_NEAR(relative_error(with_prior, 5), 0, 0.1);
    EXPECT_NEAR(relative_error(with_prior, 4), 0, 1e-6) << "only the prior knows";
}

// Point-to-point values only; then a few samples of collectives; then many: better each time
TEST(Fit, WorksFromFewSamplesAndImproves) {
    std::mt19937_64 random(8);
    std::vector<Prior> priors;
    for (Index j = 0; j < 6; ++j) {
        priors.push_back({j, true_parameters()[j] * (j % 2 ? 1.25 : 0.8), 0.25});
    }
    FitProblem nothing{names, MatrixXd(0, 6), VectorXd(0), priors};
    const FitResult from_priors = fit(nothing);
    EXPECT_TRUE(from_priors.converged);
    for (std::size_t j = 0; j < 6; ++j) {
        const FittedParameter& parameter = from_priors.parameters[j];
        EXPECT_NEAR(parameter.value, priors[j].value, 1e-9 * priors[j].value);
        EXPECT_NEAR(parameter.interval.high / parameter.value, 1 + 1.96 * 0.25, 0.001);
        EXPECT_EQ(parameter.determined, Determined::estimated);
    }
    const MatrixXd unseen = design(random, 500);
    const VectorXd truth = unseen * true_parameters();
    double error_before = 0.2;
    for (const Index samples : {4, 12, 200}) {
        double mean_error = 0;
        constexpr int trials = 20;
        for (int t = 0; t < trials; ++t) {
            FitProblem problem = synthetic(random, samples, 0.05, 0);
            problem.priors = priors;
            const FitResult result = fit(problem);
            for (Index i = 0; i < unseen.rows(); ++i) {
                const double predicted = seconds_of(result, unseen.row(i));
                mean_error += std::abs(std::log(predicted / truth[i]));
            }
        }
        mean_error /= trials * static_cast<double>(unseen.rows());
        std::printf("%d samples: mean error %.4f\n", static_cast<int>(samples), mean_error);
        EXPECT_LT(mean_error, 0.85 * error_before);
        error_before = mean_error;
    }
    EXPECT_LT(error_before, 0.02);
}

// All sizes of an algorithm on a layout: the model is off by the same factor. The times of `kinds` on
// `layouts`.
FitProblem with_errors_of_clusters(std::mt19937_64& random, std::size_t layouts, double error) {
    std::normal_distribution<double> normal(0, 1);
    const std::size_t count = layouts * std::size(kinds);
    constexpr std::size_t sizes = 8;
    std::mt19937_64 same_every_time(40);
    FitProblem problem{names, design(same_every_time, static_cast<Index>(count * sizes)), {}};
    problem.seconds = measured(random, problem.features, true_parameters(), 0.03, 0);
    std::vector<double> errors(count);
    std::generate(errors.begin(), errors.end(), [&] { return error * normal(random); });
    for (std::size_t i = 0; i < count * sizes; ++i) {
        problem.clusters.push_back(i % count);
        problem.seconds[static_cast<Index>(i)] *= std::exp(errors[i % count]);
    }
    return problem;
}

std::vector<double> coverage_with_clusters(std::size_t layouts, bool are_named, double error = 0.1) {
    std::mt19937_64 random(41);
    constexpr int trials = 200;
    std::vector<double> coverage(names.size());
    for (int t = 0; t < trials; ++t) {
        FitProblem problem = with_errors_of_clusters(random, layouts, error);
        if (!are_named) {
            problem.clusters.clear();
        }
        const FitResult result = fit(problem);
        for (std::size_t j = 0; j < names.size(); ++j) {
            const Interval& interval = result.parameters[j].interval;
            const double truth = true_parameters()[static_cast<Index>(j)];
            coverage[j] += (interval.low <= truth && truth <= interval.high) / double{trials};
        }
    }
    return coverage;
}

TEST(Fit, IntervalsCoverWhereErrorsOfAClusterShareTheirSign) {
    for (const std::size_t layouts : {2, 8}) {
        const std::vector<double> named = coverage_with_clusters(layouts, true);
        const std::vector<double> unnamed = coverage_with_clusters(layouts, false);
        for (std::size_t j = 0; j < names.size(); ++j) {
            std::printf("%zu clusters, %s: coverage %.3f, as independent %.3f\n", layouts * std::size(kinds),
                        names[j].c_str(), named[j], unnamed[j]);
            EXPECT_GE(named[j], 0.90) << names[j];
            EXPECT_LE(named[j], 0.995) << names[j];
        }
        EXPECT_LT(*std::min_element(unnamed.begin(), unnamed.end()), 0.8) << "nothing to correct";
    }
}

TEST(Fit, ClustersCostLittleWhereErrorsAreIndependent) {
    std::mt19937_64 random(42);
    double wider = 0;
    constexpr int trials = 50;
    for (int t = 0; t < trials; ++t) {
        FitProblem problem = with_errors_of_clusters(random, 8, 0);
        const FitResult named = fit(problem);
        problem.clusters.clear();
        const FitResult unnamed = fit(problem);
        for (std::size_t j = 0; j < names.size(); ++j) {
            EXPECT_EQ(named.parameters[j].value, unnamed.parameters[j].value)
                << "clusters are for intervals only";
            const auto width = [&](const FitResult& fit) {
                return fit.parameters[j].interval.high - fit.parameters[j].interval.low;
            };
            wider += width(named) / width(unnamed) / trials / static_cast<double>(names.size());
        }
    }
    EXPECT_NEAR(wider, 1.05, 0.15);
    for (const double coverage : coverage_with_clusters(8, true, 0)) {
        EXPECT_NEAR(coverage, 0.94, 0.055);
    }
}

// Compared with fits that really leave a cluster out
TEST(Fit, HeldOutResidualsAreThoseOfAFitWithoutTheCluster) {
    std::mt19937_64 random(43);
    const FitProblem problem = with_errors_of_clusters(random, 8, 0.1);
    const FitResult whole = fit(problem);
    ASSERT_EQ(whole.held_out_residuals.size(), problem.clusters.size());
    double change = 0;
    double error = 0;
    for (std::size_t left_out = 0; left_out < 48; ++left_out) {
        std::vector<Index> kept;
        for (std::size_t i = 0; i < problem.clusters.size(); ++i) {
            if (problem.clusters[i] != left_out) {
                kept.push_back(static_cast<Index>(i));
            }
        }
        const FitResult without =
            fit({names, problem.features(kept, Eigen::all), problem.seconds(kept), {}, {}});
        for (std::size_t i = left_out; i < problem.clusters.size(); i += 48) {
            const auto row = static_cast<Index>(i);
            const double held_out =
                std::log(problem.seconds[row] / seconds_of(without, problem.features.row(row)));
            change += std::pow(held_out - whole.residuals[i], 2);
            error += std::pow(held_out - whole.held_out_residuals[i], 2);
        }
    }
    EXPECT_LT(error, 0.1 * change);
    EXPECT_TRUE(fit(synthetic(random, 20)).held_out_residuals.empty());
}

TEST(Fit, RefusesWhatMakesNoSense) {
    std::mt19937_64 random(11);
    const FitProblem good = synthetic(random, 20);
    const auto expect_refused = [&](const char* what, auto&& spoil) {
        FitProblem bad = good;
        spoil(bad);
        EXPECT_THROW(fit(bad), std::invalid_argument) << what;
    };
    expect_refused("names", [](FitProblem& p) { p.names.pop_back(); });
    expect_refused("number of times", [](FitProblem& p) { p.seconds.conservativeResize(19); });
    expect_refused("time of zero", [](FitProblem& p) { p.seconds[3] = 0; });
    expect_refused("no features", [](FitProblem& p) { p.features.row(5).setZero(); });
    expect_refused("negative feature", [](FitProblem& p) { p.features(2, 1) = -1; });
    expect_refused("not a number", [](FitProblem& p) { p.features(2, 1) = std::nan(""); });
    expect_refused("number of clusters", [](FitProblem& p) { p.clusters = {0, 1, 2}; });
    expect_refused("prior of nothing", [](FitProblem& p) { p.priors = {{6, 1, 1}}; });
}

}  // namespace

// SPDX-License-Identifier: MIT
// Corrections of a model whose errors are known.
#include "correction.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <random>

namespace {

using namespace models;

CorrectedCase at(std::size_t algorithm, int nodes, int ppn, double bytes) {
    return corrected_case(algorithm, RankPlacement(nodes, ppn), bytes);
}

// log(time of 0 / time of 1) beyond what the model says, and its standard error
struct Difference {
    double gain;
    double error;
};
Difference difference(const Correction& correction, const CorrectedCase& a, const CorrectedCase& b) {
    const auto [mean, covariance] = correction.at({a, b});
    return {mean(0) - mean(1), std::sqrt(covariance(0, 0) + covariance(1, 1) - 2 * covariance(0, 1))};
}

TEST(Correction, FollowsWhatWasMeasuredAndForgetsItFarAway) {
    const Correction correction({{at(0, 8, 1, 1024), 0.5, 0.01}});
    EXPECT_NEAR(correction.at({at(0, 8, 1, 1024)}).mean(0), 0.5, 0.02);
    const auto [mean, covariance] =
        correction.at({at(0, 8, 1, 1024), at(0, 12, 1, 1024), at(0, 128, 8, 1024), at(0, 128, 8, 1 << 24)});
    for (int i = 1; i < 4; ++i) {
        EXPECT_LT(mean(i), mean(i - 1)) << i;
        EXPECT_GT(mean(i), 0) << "what the algorithm is off by everywhere";
        EXPECT_GT(covariance(i, i), covariance(i - 1, i - 1)) << i;
    }
}

TEST(Correction, WhatAllAlgorithmsShareDoesNotCountInAComparison) {
    const Correction correction({{at(0, 8, 1, 1024), 1.0, 0.01}, {at(1, 8, 1, 1024), 1.0, 0.01}});
    const auto [gain, error] = difference(correction, at(0, 16, 2, 1024), at(1, 16, 2, 1024));
    EXPECT_NEAR(gain, 0, 1e-9);
    const double of_time = std::sqrt(correction.at({at(0, 16, 2, 1024)}).covariance(0, 0));
    EXPECT_LT(error, of_time);
}

TEST(Correction, OtherNumbersOfRanksMappingsAndUnevenNodesAreFurtherAway) {
    const Correction correction({{at(0, 16, 1, 1024), 0.5, 0.01}});
    const auto variance = [&](const CorrectedCase& of) { return correction.at({of}).covariance(0, 0); };
    CorrectedCase place = at(0, 16, 1, 1024);
    const double same = variance(place);
    for (bool CorrectedCase::*kind : {&CorrectedCase::is_round_robin, &CorrectedCase::is_uneven}) {
        CorrectedCase other = place;
        other.*kind = true;
        EXPECT_GT(variance(other), 2 * same);
    }
    place.is_power_of_two = false;
    EXPECT_GT(variance(place), 2 * same);
}

TEST(Correction, KnowsWhatALayoutIs) {
    EXPECT_FALSE(at(0, 3, 2, 8).is_power_of_two);
    EXPECT_FALSE(at(0, 3, 2, 8).is_round_robin);
    EXPECT_TRUE(corrected_case(0, RankPlacement(4, 2, Mapping::round_robin), 8).is_round_robin);
    EXPECT_FALSE(corrected_case(0, RankPlacement(4, 1, Mapping::round_robin), 8).is_round_robin);
    const CorrectedCase uneven = corrected_case(0, RankPlacement({0, 0, 1}), 8);
    EXPECT_TRUE(uneven.is_uneven);
    EXPECT_NEAR(uneven.log2_ppn, std::log2(1.5), 1e-12);
}

// Errors as the prior says, or three times as large: 90% intervals of comparisons hold
TEST(Correction, LearnsHowFarTheModelIsOff) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (const double factor : {1.0, 3.0}) {
        int inside = 0;
        int all = 0;
        for (int run = 0; run < 40; ++run) {
            std::vector<CorrectedCase> cases;
            for (const int nodes : {2, 4, 6, 12}) {
                for (const double bytes : {64.0, 4096.0, 262144.0}) {
                    for (std::size_t algorithm = 0; algorithm < 4; ++algorithm) {
                        cases.push_back(at(algorithm, nodes, 2, bytes));
                    }
                }
            }
            // one truth of the prior: all cases at once, by the factor of their covariance
            const Eigen::MatrixXd prior = Correction({}).at(cases).covariance;
            const Eigen::MatrixXd lower = prior.llt().matrixL();
            Eigen::VectorXd truth(static_cast<Eigen::Index>(cases.size()));
            for (Eigen::Index i = 0; i < truth.size(); ++i) {
                truth(i) = normal(random);
            }
            truth = factor * (lower * truth);
            std::vector<CorrectionSample> samples;
            for (std::size_t i = 0; i < cases.size(); ++i) {
                if (cases[i].log2_nodes != std::log2(6)) {
                    samples.push_back({cases[i], truth(static_cast<Eigen::Index>(i)), 0.001});
                }
            }
            const Correction correction(samples);
            for (std::size_t i = 0; i + 1 < cases.size(); i += 2) {
                if (cases[i].log2_nodes == std::log2(6)) {
                    const auto [gain, error] = difference(correction, cases[i], cases[i + 1]);
                    const auto k = static_cast<Eigen::Index>(i);
                    inside += std::abs(truth(k) - truth(k + 1) - gain) < 1.645 * error;
                    ++all;
                }
            }
        }
        const double share = static_cast<double>(inside) / all;
        EXPECT_GT(share, factor == 1 ? 0.85 : 0.75) << factor;  // the prior counts, too
        EXPECT_LT(share, 0.96) << factor;
    }
}

}  // namespace

// SPDX-License-Identifier: MIT
// Prediction intervals against known errors, and against times that were not given to the model.
#include "prediction_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "known_network.hpp"

namespace {

using namespace tuner;

std::vector<HeldOutError> errors_of(const std::string& collective, std::size_t first, std::size_t clusters,
                                    double size) {
    std::vector<HeldOutError> errors;
    for (std::size_t i = 0; i < clusters; ++i) {
        errors.push_back({collective, first + i, i % 2 == 0 ? size : -size});
        errors.push_back({collective, first + i, i % 2 == 0 ? size : -size});
    }
    return errors;
}

// From tables of Student's distribution: 2.776 with 4 degrees of freedom, 2.306 with 8
TEST(PredictionError, ReachesStudentsQuantileTimesTheErrorsOfTheCollective) {
    const models::Interval own = PredictionError(errors_of("bcast", 0, 5, 0.1)).interval("bcast", 1);
    EXPECT_NEAR(std::log(own.high), 2.776 * 0.1, 1e-4);
    EXPECT_NEAR(own.low * own.high, 1, 1e-12);
    std::vector<HeldOutError> errors = errors_of("bcast", 0, 5, 0.1);
    for (const HeldOutError& error : errors_of("reduce", 5, 4, 0.4)) {
        errors.push_back(error);
    }
    const PredictionError both(errors);
    EXPECT_EQ(both.clusters(), 9u);
    EXPECT_NEAR(std::log(both.interval("bcast", 1).high), 2.776 * 0.1, 1e-4) << "five are enough";
    const double of_all = 2.306 * std::sqrt((5 * 0.01 + 4 * 0.16) / 9);
    EXPECT_NEAR(std::log(both.interval("reduce", 1).high), of_all, 1e-4) << "four are too few";
    EXPECT_NEAR(std::log(both.interval("scan", 1).high), of_all, 1e-4) << "not measured";
    EXPECT_DOUBLE_EQ(both.interval("scan", 3e-6).high, 3e-6 * both.interval("scan", 1).high);
}

TEST(PredictionError, IsUnknownFromOneAlgorithmOnOneLayout) {
    for (const PredictionError& error : {PredictionError(), PredictionError(errors_of("bcast", 0, 1, 0.1))}) {
        EXPECT_EQ(error.interval("bcast", 1).low, 0);
        EXPECT_TRUE(std::isinf(error.interval("bcast", 1).high));
    }
}

TEST(PredictionError, TypicalIsTheMedianOfRelativeErrors) {
    const double residual = std::log(1.25);  // measured 25% above the prediction, which is 20% below
    EXPECT_NEAR(PredictionError({{"bcast", 0, residual}, {"bcast", 1, residual}, {"bcast", 2, 5}}).typical(),
                0.2, 1e-12);
}

// The model is off by a factor for each algorithm and layout, also for those that were not measured.
TEST(PredictionError, IntervalsHoldTimesOfLayoutsThatWereNotMeasured) {
    std::mt19937_64 random(17);
    std::normal_distribution<double> normal;
    const Layout unseen{16, 2, Mapping::block};
    models::CostTable table(models::RankPlacement(unseen.nodes, unseen.ppn));
    int held = 0;
    int predicted = 0;
    for (int trial = 0; trial < 40; ++trial) {
        Cells cells = known_network::cells();
        std::map<std::pair<CellKey, std::string>, double> factors;
        for (auto& [key, cell] : cells) {
            for (auto& [bytes, times] : cell.times) {
                for (auto& [algorithm, time] : times) {
                    const auto factor = factors.try_emplace({key, algorithm}, std::exp(0.1 * normal(random)));
                    time.time.median_seconds *= factor.first->second;
                }
            }
        }
        std::optional<Prediction> model = Prediction::of(cells, known_network::name);
        ASSERT_TRUE(model);
        for (const char* collective : {"bcast", "allgather"}) {
            for (const Prediction::Predicted& p : model->predict(collective, unseen, 65536)) {
                const models::Algorithm& algorithm = *models::find_algorithm(collective, p.algorithm);
                const double measured =
                    table.seconds(algorithm, {&table.layout(), 65536}, known_network::truth()) *
                    std::exp(0.1 * normal(random));
                held += p.interval.low <= measured && measured <= p.interval.high;
                ++predicted;
            }
        }
    }
    const double share = static_cast<double>(held) / predicted;
    std::printf("%d predictions: %.3f within their interval\n", predicted, share);
    EXPECT_GT(predicted, 200);
    EXPECT_NEAR(share, 0.95, 0.035);
}

TEST(TypicalErrorText, IsALineOrNothing) {
    const std::string text = typical_error_text(PredictionError(errors_of("bcast", 0, 5, 0.1)));
    EXPECT_EQ(text.find("typical error of the model: 10% (each of 5 algorithms and layouts"), 0u) << text;
    EXPECT_EQ(typical_error_text(PredictionError()), "");
}

}  // namespace

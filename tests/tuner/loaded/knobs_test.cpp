// SPDX-License-Identifier: MIT
#include "knobs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using tuner::judge_knob;
using tuner::KnobCell;
using tuner::KnobJudgement;

// `gains` of each size (without / with), in four rounds, with this noise of single medians, and of all jobs
std::vector<KnobCell> measured(const std::vector<double>& gains, double noise, double between_jobs,
                               std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<KnobCell> cells;
    for (std::size_t i = 0; i < gains.size(); ++i) {
        cells.push_back({{"eth", {4, 1}, "bcast", ""}, std::size_t{8} << i, {}});
    }
    for (int round = 0; round < 4; ++round) {
        const double job = between_jobs * normal(random);
        for (std::size_t i = 0; i < gains.size(); ++i) {
            cells[i].log_ratios.push_back(std::log(gains[i]) + job + noise * normal(random));
        }
    }
    return cells;
}

}  // namespace

TEST(Knobs, AGainAtSomeSizesHolds) {
    const std::vector<KnobCell> cells = measured({1, 1, 1, 1.5, 1.4, 1, 1, 1.3}, 0.01, 0.01, 1);
    const KnobJudgement judgement = judge_knob(cells, 0.02);
    EXPECT_TRUE(judgement.holds());
    ASSERT_EQ(judgement.faster.size(), 3U);
    EXPECT_NEAR(judgement.faster.front().ratio, 1.5, 0.05);
    EXPECT_NEAR(judgement.mean.ratio, std::pow(1.5 * 1.4 * 1.3, 1.0 / 8), 0.03);
}

TEST(Knobs, ALossAtOneSizeIsALoss) {
    int others = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const std::vector<KnobCell> cells =
            measured({1, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 0.8}, 0.01, 0.01, seed);
        const KnobJudgement judgement = judge_knob(cells, 0.02);
        EXPECT_GT(judgement.mean.interval.low, 1);
        ASSERT_FALSE(judgement.slower.empty());
        EXPECT_EQ(judgement.slower.back().at->bytes, 8U << 7);
        EXPECT_FALSE(judgement.holds());
        others += judgement.slower.size() > 1;
    }
    EXPECT_LE(others, 10) << "of 100";
}

TEST(Knobs, NothingIsMadeOfNoise) {
    int held = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const std::vector<KnobCell> cells = measured(std::vector<double>(20, 1.0), 0.05, 0.02, seed);
        held += judge_knob(cells, 0.02).holds();
    }
    EXPECT_LE(held, 20) << "of 400";
}

TEST(Knobs, NothingMeasuredDoesNotHold) {
    EXPECT_FALSE(judge_knob({}, 0.02).holds());
}

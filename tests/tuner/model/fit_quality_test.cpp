// SPDX-License-Identifier: MIT
#include "fit_quality.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using tuner::Cells;
using tuner::CellTime;
using tuner::HeldBack;
using tuner::Layout;

const std::vector<Layout> layouts = {{8, 1, tuner::Mapping::block}, {4, 2, tuner::Mapping::block}};

// Fast inside of a node, slow between: times by the model itself, with a little noise
Cells measured() {
    models::Parameters truth;
    truth.at("between.latency") = 80e-6;
    truth.at("between.byte") = 80e-9;
    truth.at("within.latency") = 5e-6;
    truth.at("within.byte") = 1e-9;
    std::mt19937 random(1);
    std::normal_distribution<double> noise(1, 0.01);
    Cells cells;
    for (const Layout& layout : layouts) {
        models::CostTable table(models::RankPlacement(layout.nodes, layout.ppn));
        for (const std::string collective : {"bcast", "allgather"}) {
            for (std::size_t bytes = 8; bytes <= 1 << 20; bytes *= 4) {
                for (const models::Algorithm& algorithm : models::algorithms()) {
                    const models::Call call{&table.layout(), bytes};
                    if (algorithm.collective == collective && models::is_allowed(algorithm, call)) {
                        const double seconds = noise(random) * table.seconds(algorithm, call, truth);
                        CellTime time;
                        time.time = {static_cast<double>(bytes), seconds, {0.99 * seconds, 1.01 * seconds}};
                        cells[{"ethernet", layout, collective, ""}].times[bytes].emplace(algorithm.name,
                                                                                         time);
                    }
                }
            }
        }
    }
    return cells;
}

TEST(FitQuality, HeldBackTimesArePredictedWhereTheModelIsRight) {
    const std::vector<HeldBack> all = tuner::held_back_errors(measured(), "ethernet");
    ASSERT_EQ(all.size(), 4u);
    for (const HeldBack& errors : all) {
        EXPECT_GT(errors.times, 5u);
        EXPECT_LT(errors.median_error, 0.03) << errors.collective << errors.layout.ppn;
    }
}

TEST(FitQuality, TheTextbooksViewFailsWithTwoRanksANode) {
    for (const HeldBack& errors : tuner::held_back_errors(measured(), "ethernet")) {
        if (errors.layout.ppn == 2) {
            EXPECT_GT(errors.textbook_error, 5 * errors.median_error) << errors.collective;
        }
    }
}

TEST(FitQuality, NothingIsSaidOfANetworkThatWasNotMeasured) {
    EXPECT_TRUE(tuner::held_back_errors(measured(), "myrinet").empty());
}

}  // namespace

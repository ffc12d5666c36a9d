// SPDX-License-Identifier: MIT
#include "fit_quality.hpp"

#include <gtest/gtest.h>

#include "known_network.hpp"

namespace {

using tuner::HeldOut;

std::vector<HeldOut> errors_of_known_network() {
    return tuner::held_out_errors(known_network::cells(), known_network::name);
}

TEST(FitQuality, HeldOutTimesArePredictedWhereTheModelIsRight) {
    const std::vector<HeldOut> all = errors_of_known_network();
    ASSERT_EQ(all.size(), 4u);  // two layouts, two collectives
    for (const HeldOut& errors : all) {
        EXPECT_GT(errors.times, 5u);
        EXPECT_LT(errors.median_error, 0.03) << errors.collective << errors.layout.ppn;
    }
}

TEST(FitQuality, TheTextbooksViewFailsWithTwoRanksANode) {
    std::vector<HeldOut> two_ranks_a_node = errors_of_known_network();
    std::erase_if(two_ranks_a_node, [](const HeldOut& errors) { return errors.layout.ppn != 2; });
    ASSERT_EQ(two_ranks_a_node.size(), 2u);
    for (const HeldOut& errors : two_ranks_a_node) {
        EXPECT_GT(errors.textbook_error, 5 * errors.median_error) << errors.collective;
    }
}

TEST(FitQuality, NothingIsSaidOfANetworkThatWasNotMeasured) {
    EXPECT_TRUE(tuner::held_out_errors(known_network::cells(), "myrinet").empty());
}

TEST(FitQuality, TheEndsOfACellAreNeverHeldOut) {
    tuner::Cells cells = known_network::cells();
    for (auto& [key, cell] : cells) {
        // of two sizes both are ends
        while (cell.times.size() > 2) {
            cell.times.erase(std::next(cell.times.begin()));
        }
    }
    EXPECT_TRUE(tuner::held_out_errors(cells, known_network::name).empty());
}

TEST(FitQuality, TheTableHasARowForEachLayoutAndCollective) {
    const std::string table =
        tuner::held_out_table({{{4, 2, tuner::Mapping::block}, "bcast", 12, 0.101, 0.17}});
    EXPECT_NE(table.find("textbook"), std::string::npos);
    EXPECT_NE(table.find("4x2        bcast                        12    10.1%      17.0%"), std::string::npos)
        << table;
    EXPECT_EQ(tuner::held_out_table({}), "");
}

TEST(FitQuality, AlgorithmsWithoutAModelAreNamed) {
    tuner::Cells cells = known_network::cells();
    const auto all_explained = [&] {
        return tuner::without_model(cells, known_network::name,
                                    tuner::Prediction::of(cells, known_network::name)->explained());
    };
    EXPECT_EQ(all_explained(), "");
    auto& [key, cell] = *cells.begin();
    auto& times = cell.times.begin()->second;
    const auto some = times.begin()->second;
    times["of_next_year"] = some;
    times["of_next_year:k=4"] = some;
    EXPECT_EQ(all_explained(), key.collective + " of_next_year, of_next_year:k=4");
    EXPECT_EQ(tuner::without_model(cells, "myrinet", {}), "");
}

}  // namespace

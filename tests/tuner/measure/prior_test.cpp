// SPDX-License-Identifier: MIT
#include "prior.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

Times prior_times(const std::map<std::string, double>& medians) {
    Times times;
    for (const auto& [name, median] : medians) {
        times[name].time = {8, median, {median, median}};
        times[name].used = name == default_algorithm ? "ring" : name;
    }
    return times;
}

// ring is best for small messages, tree for large ones; chain never is
Cell prior_cell() {
    Cell cell;
    cell.times[8] = prior_times({{"default", 1}, {"ring", 1}, {"tree", 3}, {"chain", 2}});
    cell.times[4096] = prior_times({{"default", 4}, {"ring", 4}, {"tree", 1}, {"chain", 5}});
    return cell;
}

TEST(Prior, IsThatOfTheNetworkThenOfTheNearestLayout) {
    const auto cell_of_ranks = [](double seconds) {
        Cell cell;
        cell.times[8] = prior_times({{"default", seconds}});
        return cell;
    };
    const Prior prior(Cells{{{"eth", {4, 1}, "bcast", ""}, cell_of_ranks(1)},
                            {{"eth", {4, 8}, "bcast", ""}, cell_of_ranks(2)},
                            {{"ib", {2, 2}, "bcast", ""}, cell_of_ranks(3)},
                            {{"eth", {4, 2}, "gather", ""}, cell_of_ranks(4)}});
    const auto like = [&](const CellKey& key) {
        const Cell* cell = prior.like(key);
        return cell ? cell->times.at(8).at("default").time.median_seconds : 0;
    };
    EXPECT_EQ(like({"eth", {4, 1}, "bcast", ""}), 1);
    EXPECT_EQ(like({"eth", {4, 6}, "bcast", ""}), 2);
    EXPECT_EQ(like({"ib", {4, 8}, "bcast", ""}), 3);
    EXPECT_EQ(like({"other", {2, 2}, "bcast", ""}), 3);
    EXPECT_EQ(like({"eth", {4, 1}, "scatter", ""}), 0);
}

TEST(Prior, WhatWasNearTheBestAroundASizeCanWin) {
    const Cell prior = prior_cell();
    EXPECT_TRUE(could_win(prior, "ring", 64));
    EXPECT_TRUE(could_win(prior, "tree", 64));
    EXPECT_FALSE(could_win(prior, "chain", 64));
    EXPECT_FALSE(could_win(prior, "tree", 8));
    EXPECT_FALSE(could_win(prior, "ring", 1 << 20));
    EXPECT_TRUE(could_win(prior, "default", 1 << 20));
    EXPECT_TRUE(could_win(prior, "new_one", 64));
}

TEST(Prior, ASizeIsASurpriseIfWhatWasBestIsNot) {
    const Cell prior = prior_cell();
    EXPECT_FALSE(is_surprise(prior, prior_times({{"default", 1}, {"ring", 1}, {"tree", 2}}), 8));
    EXPECT_FALSE(is_surprise(prior, prior_times({{"default", 1.05}, {"ring", 1.05}, {"tree", 1}}), 8));
    EXPECT_TRUE(is_surprise(prior, prior_times({{"default", 2}, {"ring", 2}, {"tree", 1}}), 8));
    EXPECT_TRUE(is_surprise(prior, prior_times({{"default", 2}}), 4096));  // tree could not be measured
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "expected_loss.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

Times exact_times(double ring, double tree) {
    Times times;
    const auto add = [&](const std::string& name, const std::string& used, double seconds) {
        times[name].time = {8, seconds, {seconds, seconds}};
        times[name].used = used;
    };
    add("default", "ring", ring);
    add("ring", "ring", ring);
    add("tree", "tree", tree);
    return times;
}

TEST(ExpectedLoss, IsNothingWhereAllIsKnown) {
    EXPECT_EQ(expected_loss_between(exact_times(1, 2), exact_times(1, 3), 0.01), 0);
}

TEST(ExpectedLoss, AChangeoverBetweenTwoSizesCostsAThirdOfTheLag) {
    // tree is twice as slow at the small size, ring at the large one
    EXPECT_NEAR(expected_loss_between(exact_times(1, 2), exact_times(2, 1), 0.01), 1.0 / 3, 1e-9);
}

TEST(ExpectedLoss, OfACellIsTheMeanOverTheLogarithmOfSizes) {
    Cell cell;
    EXPECT_EQ(expected_loss_of(cell, 0.01), 0);
    cell.times[64] = exact_times(1, 2);
    cell.times[128] = exact_times(2, 1);
    cell.times[1024] = exact_times(2, 1);
    EXPECT_NEAR(expected_loss_of(cell, 0.01), 1.0 / 3 / 4, 1e-9);  // one of four octaves
}

}  // namespace

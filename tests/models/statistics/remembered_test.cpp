// SPDX-License-Identifier: MIT
#include "remembered.hpp"

#include <gtest/gtest.h>

namespace {

TEST(Remembered, ComputesAValueOnce) {
    models::Remembered remembered;
    int computed = 0;
    const auto difference = [&](double a, double b) {
        ++computed;
        return a - b;
    };
    EXPECT_EQ(remembered.of(5, 3, difference), 2);
    EXPECT_EQ(remembered.of(3, 5, difference), -2);
    EXPECT_EQ(remembered.of(5, 3, difference), 2);
    EXPECT_EQ(computed, 2);
}

TEST(Remembered, ForgetsRatherThanGrowing) {
    models::Remembered remembered;
    int computed = 0;
    const auto sum = [&](double a, double b) {
        ++computed;
        return a + b;
    };
    for (int i = 0; i < 10000; ++i) {
        EXPECT_EQ(remembered.of(i, 1, sum), i + 1);
    }
    EXPECT_EQ(remembered.of(9999, 1, sum), 10000);
    EXPECT_EQ(computed, 10000);
    EXPECT_EQ(remembered.of(0, 1, sum), 1);
    EXPECT_EQ(computed, 10001) << "forgotten";
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "number_text.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner::trace;

TEST(NumberText, CountsSharesAndTimes) {
    EXPECT_EQ(counted(1, "call"), "1 call");
    EXPECT_EQ(counted(2000, "call"), "2,000 calls");
    EXPECT_EQ(percent_text(0.5), "50%");
    EXPECT_EQ(time_text(0), "0");
    EXPECT_EQ(time_text(-2e-3), "-2 ms");
}

}  // namespace

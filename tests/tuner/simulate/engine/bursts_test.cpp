// SPDX-License-Identifier: MIT
#include "bursts.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

TEST(Bursts, PassAfterAPauseOnly) {
    Bursts bursts(2, 3000, 1000, 0);
    EXPECT_EQ(bursts.left_of(0, 2000, 0), 0) << "the bucket is full at first";
    bursts.done(0, 0);
    EXPECT_EQ(bursts.left_of(0, 2000, 0), 1000) << "1000 bytes were left in it";
    bursts.done(0, 1);
    EXPECT_EQ(bursts.left_of(0, 2000, 1.5), 1500) << "500 bytes in half a second";
    EXPECT_EQ(bursts.left_of(0, 2000, 9), 2000) << "not while something moves";
    EXPECT_EQ(bursts.left_of(1, 5000, 9), 2000) << "another node has its own; it is never more than full";
}

TEST(Bursts, AreNotEverywhere) {
    Bursts none(2, 0, 1000, 0);
    EXPECT_EQ(none.left_of(0, 2000, 0), 2000);
    none.done(0, 1);
    EXPECT_EQ(none.left_of(0, 2000, 100), 2000);
}

}  // namespace

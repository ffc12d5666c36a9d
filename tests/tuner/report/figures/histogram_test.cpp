// SPDX-License-Identifier: MIT
#include "histogram.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner::report;

TEST(Histogram, CountsAndHeights) {
    const Frame frame{0, 48, 0, 100};
    Histogram histogram(frame);
    histogram.add(0.5);
    histogram.add(0.7);
    histogram.add(10.2);
    EXPECT_EQ(histogram.most(), 2U);
    EXPECT_EQ(histogram.bars(2), "M0,100v-100h1v100zM10,100v-50h1v50z");
    EXPECT_EQ(histogram.bars(4), "M0,100v-50h1v50zM10,100v-25h1v25z");
}

TEST(Histogram, BesideTheFrameCountsAtItsEnds) {
    Histogram histogram({0, 48, 0, 100});
    histogram.add(-5);
    histogram.add(500);
    EXPECT_EQ(histogram.bars(1), "M0,100v-100h1v100zM47,100v-100h1v100z");
}

TEST(Histogram, HighestOfSeveral) {
    std::vector<Histogram> two(2, Histogram({0, 48, 0, 100}));
    EXPECT_EQ(most_of(two), 1U) << "never zero: it divides";
    two[1].add(3);
    two[1].add(3);
    EXPECT_EQ(most_of(two), 2U);
}

}  // namespace

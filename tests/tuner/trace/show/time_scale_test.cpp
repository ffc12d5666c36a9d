// SPDX-License-Identifier: MIT
#include "time_scale.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner::trace;

TEST(TimeScale, ZeroIsOnTheLeftAndTheLongestOnTheRight) {
    const tuner::report::Frame frame{50, 450, 0, 100};
    const TimeScale x{2e-3, frame};
    EXPECT_DOUBLE_EQ(x(0), 50);
    EXPECT_DOUBLE_EQ(x(1e-3), 250);
    EXPECT_DOUBLE_EQ(x(2e-3), 450);
}

TEST(TimeScale, TicksAreRoundTimes) {
    tuner::report::Plot plot("t", 500, 130, {50, 450, 0, 100});
    draw_axis(plot, TimeScale{1e-3, plot.frame}, "time");
    const std::string body = plot.finish("").body;
    for (const char* tick : {">0<", ">500 us<", ">1 ms<", ">time<"}) {
        EXPECT_NE(body.find(tick), std::string::npos) << tick << " in " << body;
    }
}

TEST(TimeScale, ColoursOfLinesBeginAgain) {
    EXPECT_EQ(colour_of_line(0), "c0");
    EXPECT_EQ(colour_of_line(8), "c1");
}

}  // namespace

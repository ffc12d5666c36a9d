// SPDX-License-Identifier: MIT
#include "size_choice.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

// Medians with intervals of 95% that reach 2% to either side
Times times_of(const std::map<std::string, double>& medians, const std::string& default_uses) {
    Times times;
    for (const auto& [name, median] : medians) {
        CellTime& time = times[name];
        time.time = {1024, median, {0.98 * median, 1.02 * median}};
        time.used = name == default_algorithm ? default_uses : name;
        time.samples = 20;
    }
    return times;
}

TEST(SizeChoice, TheDefaultIsTheAlgorithmThatItRan) {
    const Times times = times_of({{"default", 1.0}, {"ring", 1.01}, {"tree", 2.0}}, "ring");
    EXPECT_EQ(best_of(times).name, "ring");
    EXPECT_EQ(best_of(times_of({{"default", 1.0}, {"tree", 2.0}}, "ring")).name, "ring");
}

TEST(SizeChoice, WhatLeftARaceIsKnownByTheDefaultThatRanOn) {
    Times times = times_of({{"default", 1.0}, {"ring", 0.9}, {"tree", 0.95}}, "ring");
    EXPECT_EQ(best_of(times).name, "ring");
    times.at("default").samples = 100;
    times.at("ring").is_decided = true;
    EXPECT_EQ(best_of(times).name, "tree");
}

TEST(SizeChoice, ARuleNeedsAKnownGain) {
    const Times close = times_of({{"default", 1.0}, {"ring", 1.0}, {"tree", 0.98}}, "ring");
    EXPECT_EQ(best_of(close).name, "tree");
    EXPECT_EQ(chosen_of(close, 0.01).name, "ring");
    const Times far = times_of({{"default", 1.0}, {"ring", 1.0}, {"tree", 0.5}}, "ring");
    EXPECT_EQ(chosen_of(far, 0.01).name, "tree");
}

TEST(SizeChoice, WhatIsNotKnownIsExpectedToLose) {
    const Times far = times_of({{"default", 1.0}, {"tree", 2.0}}, "ring");
    EXPECT_NEAR(expected_loss_at(far, 0.01), 0, 1e-6);
    const Times equal = times_of({{"default", 1.0}, {"tree", 1.0}}, "ring");
    EXPECT_NEAR(expected_loss_at(equal, 0.01), 0.0057, 0.001);  // 0.4 standard deviations of the ratio, 1.4%
    const Times missed = times_of({{"default", 1.0}, {"tree", 0.97}}, "ring");  // not known, but likely
    EXPECT_NEAR(expected_loss_at(missed, 0.01), 0.03, 0.005);
}

TEST(SizeChoice, WhatLostARaceCannotWin) {
    Times times = times_of({{"default", 1.0}, {"tree", 1.01}}, "ring");
    EXPECT_GT(expected_loss_at(times, 0.01), 0.001);
    times.at("tree").is_decided = true;
    EXPECT_EQ(expected_loss_at(times, 0.01), 0);
}

}  // namespace

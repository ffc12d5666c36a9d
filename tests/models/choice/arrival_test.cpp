// SPDX-License-Identifier: MIT
// Every pattern's delays on five ranks, of which two and then three share a node.
#include "arrival.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace {

using namespace models;

const std::vector<int> places = {0, 0, 1, 1, 1};

std::vector<double> delays(const std::string& arrival, double unit = 1, std::uint64_t draw = 0) {
    return arrival_delays(parse_arrival(arrival), unit, places, draw);
}

std::string error_of(const std::string& text) {
    try {
        parse_arrival(text);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(Arrival, EveryPatternHasItsDelays) {
    const std::vector<double> none(5);
    EXPECT_EQ(delays("together"), none);
    EXPECT_EQ(delays("back-to-back"), none);
    EXPECT_EQ(delays("one-late"), (std::vector<double>{0, 0, 0, 0, 1}));
    EXPECT_EQ(delays("one-early"), (std::vector<double>{0, 1, 1, 1, 1}));
    EXPECT_EQ(delays("ascending"), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
    EXPECT_EQ(delays("descending"), (std::vector<double>{1, 0.75, 0.5, 0.25, 0}));
    EXPECT_EQ(delays("half"), (std::vector<double>{0, 0, 0, 1, 1}));
    EXPECT_EQ(delays("by-node"), (std::vector<double>{0, 0, 1, 1, 1}));
    EXPECT_EQ(delays("one-late:0.5", 20e-6).back(), 10e-6) << "half of the call's own time";
}

TEST(Arrival, ThePatternsOfOneRankHaveNoDelayBeyondTheirWidth) {
    for (const ArrivalPattern& pattern : arrival_patterns()) {
        for (const std::size_t ranks : {1, 2, 17}) {
            for (const double delay : arrival_delays({&pattern}, 1, std::vector<int>(ranks), 3)) {
                EXPECT_GE(delay, 0) << pattern.name;
                EXPECT_LE(delay, 1) << pattern.name;
            }
        }
    }
}

TEST(Arrival, PatternsTakeTurns) {
    const ArrivalMix mix = parse_arrivals("together+one-late:0.5+together");
    ASSERT_EQ(mix.size(), 3U);
    EXPECT_EQ(to_string(mix), "together+one-late:0.5+together");
    EXPECT_EQ(to_string(arrival_at(mix, 4)), "one-late:0.5");
    EXPECT_DOUBLE_EQ(mean_width(mix), 0.5 / 3);
    EXPECT_EQ(mean_width({}), 0);
    EXPECT_EQ(to_string(parse_arrivals("half")), "half:1");
    EXPECT_EQ(to_string(ArrivalMix{}), "");
    EXPECT_EQ(parse_arrivals("back-to-back").size(), 1U);
    for (const char* wrong : {"", "half+", "+half", "half++half", "half+late", "together+back-to-back"}) {
        EXPECT_THROW(parse_arrivals(wrong), std::invalid_argument) << wrong;
    }
}

TEST(Arrival, RandomDelaysAreUniformAndOfTheirSeed) {
    EXPECT_EQ(delays("random", 1, 7), delays("random", 1, 7));
    EXPECT_NE(delays("random", 1, 7), delays("random", 1, 8));
    EXPECT_NE(arrival_draw(1, 0), arrival_draw(2, 0));
    EXPECT_NE(arrival_draw(1, 0), arrival_draw(1, 1));
    std::vector<double> all;
    for (std::uint64_t k = 0; k < 400; ++k) {
        const auto some = delays("random", 1, arrival_draw(1, k));
        all.insert(all.end(), some.begin(), some.end());
    }
    std::sort(all.begin(), all.end());
    double distance = 0;  // of Kolmogorov and Smirnov
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(all.size());
        distance = std::max(distance, std::abs(all[i] - share));
    }
    EXPECT_LT(distance, 1.63 / std::sqrt(static_cast<double>(all.size()))) << "1% of uniform samples are not";
}

TEST(Arrival, IsWrittenAsItIsRead) {
    for (const char* text : {"together", "one-late:0.5", "random:2", "back-to-back"}) {
        EXPECT_EQ(to_string(parse_arrival(text)), text);
    }
    EXPECT_EQ(parse_arrival("half").width, 1);
    EXPECT_EQ(parse_arrival("back-to-back").pattern->calls_in_a_row, 10);
}

TEST(Arrival, MistakesSayWhatIsExpected) {
    EXPECT_EQ(error_of("late"),
              "there is no arrival pattern 'late'; there are: together, one-late, one-early, ascending, "
              "descending, random, half, by-node, back-to-back, recorded");
    EXPECT_EQ(error_of("together:1"), "the arrival pattern 'together' has no width; omit ':1'");
    for (const char* width : {"", "0", "0.0001", "-1", "1e3", "1001", "1.2.3", ".", "inf"}) {
        EXPECT_TRUE(
            error_of(std::string("half:") + width).starts_with("width of an arrival pattern: expected"))
            << width;
    }
}

}  // namespace

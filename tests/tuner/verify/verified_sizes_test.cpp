// SPDX-License-Identifier: MIT
#include "verified_sizes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lab_allgather.hpp"

namespace {

using Sizes = std::vector<std::size_t>;

tuner::Rule ring_from_to(std::size_t from, std::size_t to) {
    tuner::Rule rule;
    rule.algorithm = "ring";
    rule.from_bytes = from;
    rule.to_bytes = to;
    return rule;
}

// What the default ran at each measured size
tuner::Cell cell_with(const std::map<std::size_t, std::string>& used_by_default) {
    tuner::Cell cell;
    for (const auto& [bytes, used] : used_by_default) {
        cell.times[bytes]["default"].used = used;
    }
    return cell;
}

bool has(const Sizes& sizes, std::size_t bytes) {
    return std::find(sizes.begin(), sizes.end(), bytes) != sizes.end();
}

TEST(VerifiedSizes, AreBothEndsAndSizesBetweenThatWereNotMeasured) {
    const tuner::Cell cell = cell_with({{8, "binomial"}, {1024, "binomial"}, {65536, "binomial"}});
    const Sizes sizes = sizes_to_verify(ring_from_to(1000, 65543), cell, 5);
    EXPECT_EQ(sizes.size(), 5u);
    EXPECT_EQ(sizes.front(), 1000u);
    EXPECT_EQ(sizes.back(), 65536u) << "a multiple of 8";
    EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
    EXPECT_FALSE(has(sizes, 1024));
}

TEST(VerifiedSizes, HaveBothSidesOfEverySwitchOfTheDefault) {
    const tuner::Cell cell = cell_with(
        {{8, "binomial"}, {512, "binomial"}, {4096, "scatter"}, {32768, "scatter"}, {262144, "smp"}});
    const Sizes sizes = sizes_to_verify(ring_from_to(0, 1 << 20), cell, 3);
    for (const std::size_t bytes : {8u, 512u, 4096u, 32768u, 262144u, 1048576u}) {
        EXPECT_TRUE(has(sizes, bytes)) << bytes;
    }
}

TEST(VerifiedSizes, HaveOneNextToEachEndThoughTheDefaultSwitches) {
    const tuner::Cell cell = cell_with({{8, "binomial"}, {4096, "binomial"}, {8192, "scatter"}});
    const Sizes sizes = sizes_to_verify(ring_from_to(1000, 1000000), cell, 4);
    EXPECT_EQ(sizes, (Sizes{1000, 1992, 4096, 8192, 501184, 1000000})) << "a tenth of the range";
}

TEST(VerifiedSizes, OfANarrowRuleAreItsEndsAndOneBetween) {
    const Sizes sizes = sizes_to_verify(ring_from_to(100000, 140000), {}, 6);
    EXPECT_EQ(sizes, (Sizes{100000, 118320, 140000}));
}

TEST(VerifiedSizes, AreNotThoseWhereTheDefaultUsesTheAlgorithm) {
    const tuner::Cell cell = cell_with({{8, "binomial"}, {512, "binomial"}, {4096, "ring"}, {65536, "ring"}});
    const Sizes sizes = sizes_to_verify(ring_from_to(8, 65536), cell, 6);
    EXPECT_TRUE(has(sizes, 512));
    EXPECT_LT(sizes.back(), 4096u);
}

// The rule was extended by the sizes from 4479 to 4551: its new end is verified, too
TEST(VerifiedSizes, HaveTheEndThatAdjoinsTheDefaultsOwnUse) {
    namespace lab = lab_allgather;
    const Sizes sizes =
        sizes_to_verify(ring_from_to(lab::first_gain, lab::default_turns - 1), lab::cell(), 6);
    EXPECT_EQ(sizes.back(), 4544u) << "the last multiple of 8";
    EXPECT_GT(sizes.back(), lab::last_gain);
    EXPECT_EQ(sizes.size(), 6u);
}

TEST(VerifiedSizes, OfARuleBetweenTwoMultiplesAreNone) {
    EXPECT_TRUE(sizes_to_verify(ring_from_to(9, 15), {}, 5).empty());
    EXPECT_EQ(sizes_to_verify(ring_from_to(9, 16), {}, 5), Sizes{16});
}

}  // namespace

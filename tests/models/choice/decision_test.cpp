// SPDX-License-Identifier: MIT
#include "decision.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "published_times.hpp"

namespace {

using models::Candidate;
using models::DecidedRange;
using models::MeasuredSize;

Candidate candidate(const char* name, const std::vector<std::size_t>& sizes, const models::Curve& curve) {
    Candidate result{name, {}};
    for (const std::size_t bytes : sizes) {
        const double seconds = curve(static_cast<double>(bytes));
        result.times.emplace_back(MeasuredSize{bytes, seconds, {seconds, seconds}});
    }
    return result;
}

const std::vector<std::size_t> powers = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

TEST(Decide, TakesTheBestAndFindsWhereItChanges) {
    const std::vector<Candidate> candidates = {
        candidate("default", powers, [](double) { return 1000.0; }),
        candidate("steep", powers, [](double bytes) { return bytes; }),
        candidate("flat", powers, [](double bytes) { return 6 * std::sqrt(bytes); })};  // equal at 36
    const auto ranges = models::decide(candidates, powers, 0);
    ASSERT_EQ(ranges.size(), 2u);
    EXPECT_EQ(ranges[0].candidate, 1u);
    EXPECT_EQ(ranges[1].candidate, 2u);
    EXPECT_NEAR(ranges[1].changeover_bytes, 36, 1e-9);
    EXPECT_EQ(ranges[0].from_bytes, 0u);
    EXPECT_EQ(ranges[0].to_bytes, models::last_size_before(ranges[1].changeover_bytes));
    EXPECT_EQ(ranges[1].from_bytes, ranges[0].to_bytes + 1);
    EXPECT_EQ(ranges[1].from_interval.low, 32);
    EXPECT_EQ(ranges[1].from_interval.high, 64);
    EXPECT_EQ(ranges[1].to_bytes, std::numeric_limits<std::size_t>::max());
    EXPECT_EQ(ranges[1].worst_loss, 0);
}

TEST(Decide, PrefersTheDefaultWithinTheBound) {
    const std::vector<Candidate> candidates = {
        candidate("better by half a percent", powers, [](double) { return 0.995; }),
        candidate("default", powers, [](double) { return 1.0; })};
    EXPECT_EQ(models::decide(candidates, powers, 1, 0.01).front().candidate, 1u);
    EXPECT_EQ(models::decide(candidates, powers, 1, 0.001).front().candidate, 0u);
}

TEST(Decide, MergesWhileTheLossIsBelowTheBound) {
    // `noisy` wins at every second size by 0.5%, then `other` clearly
    Candidate noisy{"noisy", {}};
    Candidate steady{"steady", {}};
    for (std::size_t i = 0; i < powers.size(); ++i) {
        const double wiggle = i % 2 == 0 ? 0.995 : 1.005;
        noisy.times.emplace_back(MeasuredSize{powers[i], wiggle, {wiggle, wiggle}});
        steady.times.emplace_back(MeasuredSize{powers[i], 1, {1, 1}});
    }
    const std::vector<Candidate> candidates = {candidate("default", powers, [](double) { return 2.0; }),
                                               noisy, steady};
    EXPECT_EQ(models::decide(candidates, powers, 0, 0.01).size(), 1u);
    EXPECT_EQ(models::decide(candidates, powers, 0, 0.0).size(), powers.size());
}

// Each time with its interval of so much on both sides
Candidate known_within(double error, const char* name, const std::vector<double>& seconds) {
    Candidate result{name, {}};
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        result.times.emplace_back(
            MeasuredSize{powers[i], seconds[i], {seconds[i] * (1 - error), seconds[i] * (1 + error)}});
    }
    return result;
}

// Which of them is best at a size is noise: one range, not four
TEST(Decide, RangesThatIntervalsCannotTellApartAreOne) {
    const std::vector<Candidate> candidates = {known_within(0, "default", {2, 2, 2, 2}),
                                               known_within(0.03, "a", {1.03, 1.0, 1.03, 1.0}),
                                               known_within(0.03, "b", {1.0, 1.03, 1.0, 1.03})};
    const auto ranges = models::decide(candidates, {1, 2, 4, 8}, 0, 0.01);
    EXPECT_EQ(ranges.size(), 1u);
    EXPECT_NE(ranges[0].candidate, 0u);
}

// At both ends the default may be as good: only where it is surely slower does another one take its place. In
// between it need not be sure.
TEST(Decide, ARangeEndsWhereNothingSpeaksForIt) {
    const std::vector<Candidate> candidates = {known_within(0, "default", {1, 1, 1, 1, 1, 1}),
                                               known_within(0.05, "a", {0.98, 0.8, 0.97, 0.8, 0.99, 0.97})};
    const auto ranges = models::decide(candidates, {1, 2, 4, 8, 16, 32}, 0, 0.01);
    ASSERT_EQ(ranges.size(), 3u);
    EXPECT_EQ(ranges[1].candidate, 1u);
    EXPECT_EQ(ranges[1].first, 1u);
    EXPECT_EQ(ranges[1].last, 3u);
    EXPECT_EQ(ranges[2].candidate, 0u);
}

// A time that is hardly known could be anything: not a reason to take it
TEST(Decide, WhatLooksMuchSlowerIsNoTie) {
    const std::vector<Candidate> candidates = {known_within(0, "default", {2, 2}),
                                               known_within(0.9, "a", {1, 1.5}),
                                               known_within(0.02, "b", {1.3, 1})};
    const auto ranges = models::decide(candidates, {1, 2}, 0, 0.01);
    EXPECT_EQ(ranges.back().candidate, 2u);
}

TEST(Decide, DoesNotUseAnAlgorithmWhereItCannotRun) {
    Candidate best = candidate("best", powers, [](double) { return 1.0; });
    best.times[0].reset();
    best.times[5].reset();
    const std::vector<Candidate> candidates = {candidate("default", powers, [](double) { return 2.0; }),
                                               best};
    const auto ranges = models::decide(candidates, powers, 0);
    ASSERT_EQ(ranges.size(), 4u);
    for (const DecidedRange& range : ranges) {
        for (std::size_t i = range.first; i <= range.last; ++i) {
            EXPECT_EQ(range.candidate, i == 0 || i == 5 ? 0u : 1u) << i;
        }
    }
}

TEST(Decide, RefusesWhatMakesNoSense) {
    EXPECT_THROW(models::decide({}, powers, 0), std::invalid_argument);
    EXPECT_THROW(models::decide({Candidate{"short", {}}}, powers, 0), std::invalid_argument);
}

// Decisions from the published times, by size
class Published {
  public:
    Published(const std::string& network, int nodes, int ppn) {
        std::map<std::string, std::map<std::size_t, double>> times;
        std::set<std::size_t> all;
        for (const PublishedTime& time : published_times()) {
            if (time.network == network && time.nodes == nodes && time.ppn == ppn) {
                times[time.algorithm][time.bytes] = time.seconds;
                all.insert(time.bytes);
            }
        }
        default_ = times["default"];
        times.erase("default");
        const std::vector<std::size_t> sizes(all.begin(), all.end());
        std::vector<Candidate> candidates;
        for (const auto& [name, of_size] : times) {
            candidates.push_back({name, {}});
            for (const auto& [bytes, seconds] : of_size) {
                candidates.back().times.emplace_back(MeasuredSize{bytes, seconds, {seconds, seconds}});
            }
        }
        for (const DecidedRange& range : models::decide(candidates, sizes, 0)) {
            for (std::size_t i = range.first; i <= range.last; ++i) {
                const std::size_t bytes = sizes[i];
                chosen_[bytes] = candidates[range.candidate].name;
                seconds_[bytes] = candidates[range.candidate].times[i]->median_seconds;
            }
        }
    }
    const std::map<std::size_t, std::string>& chosen() const { return chosen_; }
    double gain(std::size_t bytes) const { return 1 - seconds_.at(bytes) / default_.at(bytes); }

  private:
    std::map<std::size_t, double> default_;
    std::map<std::size_t, std::string> chosen_;
    std::map<std::size_t, double> seconds_;
};

constexpr const char* doubling = "scatter_recursive_doubling_allgather";
constexpr const char* ring = "scatter_ring_allgather";

// The thesis' conclusions (tests/data/hamid2008/README.md), point by point
TEST(DecideFromPublishedTimes, RecursiveDoublingIsNeverWorthItOnEightCpusWithTwoRanksANode) {
    for (const char* network : {"fast-ethernet", "myrinet"}) {
        const Published published(network, 4, 2);
        ASSERT_GT(published.chosen().size(), 10u);
        for (const auto& [bytes, algorithm] : published.chosen()) {
            EXPECT_NE(algorithm, doubling) << network << " " << bytes;
        }
    }
}

TEST(DecideFromPublishedTimes, RingBeatsTheDefaultOn32CpusOfFastEthernet) {
    const Published published("fast-ethernet", 16, 2);
    ASSERT_GT(published.chosen().size(), 10u);
    double largest = 0;
    for (const auto& [bytes, algorithm] : published.chosen()) {
        if (bytes >= 23168 && bytes <= 370728) {
            EXPECT_EQ(algorithm, ring) << bytes;
            EXPECT_GT(published.gain(bytes), 0.05) << bytes;
            largest = std::max(largest, published.gain(bytes));
        }
    }
    EXPECT_GT(largest, 0.40);
}

TEST(DecideFromPublishedTimes, RecursiveDoublingUpTo32KibThenRingOn32CpusOfMyrinet) {
    const Published published("myrinet", 16, 2);
    ASSERT_GT(published.chosen().size(), 10u);
    for (const auto& [bytes, algorithm] : published.chosen()) {
        if (bytes <= 23168) {
            EXPECT_EQ(algorithm, doubling) << bytes;
        } else {
            EXPECT_NE(algorithm, doubling) << bytes;
        }
        if (bytes >= 92680) {
            EXPECT_EQ(algorithm, ring) << bytes;
        }
        if (bytes >= 131072 && bytes <= 370728) {
            EXPECT_GT(published.gain(bytes), 0.25) << bytes;
        }
    }
}

TEST(DecideFromPublishedTimes, RecursiveDoublingTo93KbThenRingOnEightNodesOfFastEthernet) {
    const Published published("fast-ethernet", 8, 1);
    ASSERT_GT(published.chosen().size(), 10u);
    for (const auto& [bytes, algorithm] : published.chosen()) {
        if (bytes >= 23168 && bytes <= 92680) {
            EXPECT_EQ(algorithm, doubling) << bytes;
        } else if (bytes > 92680) {
            EXPECT_EQ(algorithm, ring) << bytes;
        }
    }
}

// A loss against zero is no number, and then no candidate is ever good enough
TEST(Decide, RefusesWhatIsNoTime) {
    const std::vector<std::size_t> sizes = {8, 16};
    const double bad_times[] = {0, -1, std::nan(""), std::numeric_limits<double>::infinity()};
    for (const double bad : bad_times) {
        const std::vector<Candidate> all = {candidate("default", sizes, [&](double) { return bad; }),
                                            candidate("other", sizes, [&](double) { return bad; })};
        EXPECT_THROW(models::decide(all, sizes, 0), std::invalid_argument) << bad;
        const std::vector<Candidate> one = {candidate("default", sizes, [](double) { return 1.0; }),
                                            candidate("other", sizes, [&](double) { return bad; })};
        EXPECT_THROW(models::decide(one, sizes, 0), std::invalid_argument) << bad;
    }
    const std::vector<Candidate> good = {candidate("default", sizes, [](double) { return 1.0; })};
    EXPECT_THROW(models::decide(good, sizes, 0, -0.01), std::invalid_argument);
    EXPECT_THROW(models::decide(good, sizes, 0, std::nan("")), std::invalid_argument);
}

TEST(Decide, ChangesBehindASizeOfZero) {
    const std::vector<std::size_t> sizes = {0, 16};
    const std::vector<Candidate> candidates = {
        candidate("default", sizes, [](double bytes) { return 1 + bytes; }),
        candidate("other", sizes, [](double bytes) { return 2 + bytes / 2; })};
    const auto ranges = models::decide(candidates, sizes, 0);
    ASSERT_EQ(ranges.size(), 2u);
    EXPECT_GE(ranges[1].changeover_bytes, 1);
    EXPECT_LE(ranges[1].changeover_bytes, 16);
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "decide.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "decision.hpp"

namespace {

using tuner::Cell;
using tuner::CellKey;
using tuner::CellTime;
using tuner::Rule;

const CellKey loopback_bcast = {"loopback", {4, 2, tuner::Mapping::block}, "bcast", ""};

CellTime time(std::size_t bytes, double seconds, double relative_error = 0.01, const std::string& used = "") {
    CellTime result;
    result.time = {bytes, seconds, {seconds * (1 - relative_error), seconds * (1 + relative_error)}};
    result.used = used;
    return result;
}

// binomial is best up to 4 KiB, ring from there on; the default is `slower` times binomial
Cell two_algorithms(double slower) {
    Cell cell;
    for (std::size_t bytes = 8; bytes <= 1 << 20; bytes *= 2) {
        const double binomial = 1e-6 * std::pow(static_cast<double>(bytes) / 4096, 0.8);
        const double ring = 1e-6 * std::pow(static_cast<double>(bytes) / 4096, 0.5);
        cell.times[bytes] = {{"binomial", time(bytes, binomial)},
                             {"ring", time(bytes, ring)},
                             {"default", time(bytes, slower * binomial, 0.01, "binomial")}};
    }
    return cell;
}

TEST(Decide, ARuleReplacesTheDefaultOnlyWhereItIsSurelySlower) {
    const std::vector<Rule> rules = tuner::rules_of(loopback_bcast, two_algorithms(1), 0.01);
    ASSERT_EQ(rules.size(), 1u);  // up to 4 KiB the default uses the best algorithm itself
    EXPECT_EQ(rules[0].algorithm, "ring");
    EXPECT_EQ(rules[0].from_bytes, 8192u) << "the first measured size at which it wins";
    EXPECT_EQ(rules[0].from_interval.low, 4096);
    EXPECT_EQ(rules[0].to_bytes, 1u << 20);
    EXPECT_GT(rules[0].expected_gain, 1.0);
    EXPECT_EQ(rules[0].basis, "measured");
}

// The default leaves binomial between 4 KiB and 32 KiB: nobody knows where, and binomial is right on both
// sides
TEST(Decide, ARuleStartsAsTheDefaultLeavesAGoodAlgorithm) {
    Cell cell;
    for (const std::size_t bytes : {8u, 512u, 4096u, 32768u, 262144u}) {
        const bool is_small = bytes <= 4096;
        cell.times[bytes] = {
            {"binomial", time(bytes, 1)},
            {"default", time(bytes, is_small ? 1.02 : 1.9, 0.01, is_small ? "binomial" : "scatter")}};
    }
    const std::vector<Rule> rules = tuner::rules_of(loopback_bcast, cell, 0.01);
    ASSERT_EQ(rules.size(), 1u);
    EXPECT_EQ(rules[0].algorithm, "binomial");
    EXPECT_EQ(rules[0].from_bytes, 4097u);
}

// At 2 KiB the gain is smaller than the bound. If it is one all the same, there is a gain from there on.
TEST(Decide, ARuleReachesToTheNextSizeIfItIsKnownNotToBeSlowerThere) {
    for (const double error : {0.001, 0.02}) {
        Cell cell;
        for (const std::size_t bytes : {512u, 2048u, 8192u, 32768u}) {
            const double gain = bytes < 2048 ? 0.9 : bytes == 2048 ? 1.02 : 1.2;
            cell.times[bytes] = {{"ring", time(bytes, 1 / gain, error)},
                                 {"default", time(bytes, 1, error, "binomial")}};
        }
        const std::vector<Rule> rules = tuner::rules_of(loopback_bcast, cell, 0.05);
        ASSERT_EQ(rules.size(), 1u);
        EXPECT_EQ(rules[0].from_bytes, error < 0.01 ? 2048u : 8192u) << error;
        EXPECT_EQ(rules[0].from_interval.low, 2048);
    }
}

TEST(Decide, TheAlgorithmOfTheDefaultIsNoGain) {
    // the same algorithm measured twice, the default 3% slower by chance
    const std::vector<Rule> rules = tuner::rules_of(loopback_bcast, two_algorithms(1.03), 0.01);
    ASSERT_EQ(rules.size(), 1u);
    EXPECT_EQ(rules[0].algorithm, "ring");
}

TEST(Decide, AnOverlapOfIntervalsIsATie) {
    Cell cell;
    for (std::size_t bytes = 8; bytes <= 4096; bytes *= 2) {
        cell.times[bytes] = {{"ring", time(bytes, 0.95, 0.1)}, {"default", time(bytes, 1, 0.1, "binomial")}};
    }
    EXPECT_TRUE(tuner::rules_of(loopback_bcast, cell, 0.01).empty());
}

TEST(Decide, RulesStartAtZeroOnlyIfTheSmallestSizesWereMeasured) {
    Cell small;
    Cell large;
    for (std::size_t bytes = 8; bytes <= 4096; bytes *= 2) {
        small.times[bytes] = {{"ring", time(bytes, 0.5)}, {"default", time(bytes, 1, 0.01, "binomial")}};
        large.times[1024 * bytes] = small.times[bytes];
    }
    EXPECT_EQ(tuner::rules_of(loopback_bcast, small, 0.01).at(0).from_bytes, 0u);
    EXPECT_EQ(tuner::rules_of(loopback_bcast, large, 0.01).at(0).from_bytes, 8192u);
    EXPECT_EQ(tuner::rules_of(loopback_bcast, small, 0.01).at(0).to_bytes, 4096u);
}

TEST(Decide, RulesOfReductionsAreForBuiltInOperations) {
    Cell cell;
    cell.times[1024] = {{"smp", time(1024, 0.5)}, {"default", time(1024, 1, 0.01, "recursive_doubling")}};
    CellKey reduction = loopback_bcast;
    reduction.collective = "allreduce";
    reduction.operation = "sum";
    const Rule rule = tuner::rules_of(reduction, cell, 0.01).at(0);
    EXPECT_EQ(rule.operation, tuner::built_in_operation);
    EXPECT_EQ(tuner::cell_of(rule), reduction);
    reduction.operation = "user";
    EXPECT_TRUE(tuner::rules_of(reduction, cell, 0.01).empty());
}

TEST(Decide, NeighbouringRulesMeetWithoutAGap) {
    Cell cell = two_algorithms(3);
    for (auto& [bytes, times] : cell.times) {
        times.at("default").used = "linear";  // slower than both everywhere: two rules
    }
    const std::vector<Rule> rules = tuner::rules_of(loopback_bcast, cell, 0.01);
    ASSERT_EQ(rules.size(), 2u);
    EXPECT_EQ(rules[0].from_bytes, 0u);
    EXPECT_EQ(rules[1].from_bytes, rules[0].to_bytes + 1);
    EXPECT_EQ(rules[1].to_bytes, 1u << 20);
    EXPECT_EQ(rules[1].from_interval.low, 4096);
    EXPECT_EQ(rules[1].from_interval.high, 8192);
}

TEST(Decide, RangesIncludeTheDefaultAndWhatItUsed) {
    const std::vector<tuner::ChosenRange> ranges = tuner::ranges_of(two_algorithms(1), 0.01);
    ASSERT_EQ(ranges.size(), 2u);
    EXPECT_EQ(to_string(ranges[0]), "default (binomial)");
    EXPECT_EQ(ranges[0].changeover_bytes, 0);
    EXPECT_EQ(to_string(ranges[1]), "ring");
    EXPECT_NEAR(ranges[1].changeover_bytes, 4096, 100);
    EXPECT_TRUE(tuner::ranges_of({}, 0.01).empty());
}

// A range of one measured size, from which on the next algorithm is as good, is none: a library refuses a
// file with an empty range as a whole
TEST(Decide, NoRuleIsEmpty) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::size_t found = 0;
    for (int world = 0; world < 20000; ++world) {
        Cell cell;
        for (const std::size_t bytes : {512, 1448, 4096, 32768}) {
            for (const char* name : {"default", "smp", "ring"}) {
                cell.times[bytes][name] = time(bytes, 1e-6 * (1 + uniform(random)), 0.1 * uniform(random));
            }
        }
        for (const Rule& rule : tuner::rules_of(loopback_bcast, cell, 0.01)) {
            ASSERT_LE(rule.from_bytes, rule.to_bytes) << rule.algorithm << " in world " << world;
            ++found;
        }
    }
    EXPECT_GT(found, 10000u);
}

// Known truth: four algorithms with different curves, medians with 3% noise, over many random worlds. Mean
// loss against the best algorithm at most 2%, with few rules.
TEST(Decide, LosesLittleAgainstTheBestAlgorithmWithFewRules) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> noise(0, 0.03);
    std::uniform_real_distribution<double> uniform(0, 1);
    double sum_of_losses = 0;
    long sizes = 0;
    for (int world = 0; world < 100; ++world) {
        std::map<std::string, std::pair<double, double>> curves;  // latency, byte
        for (const char* name : {"default", "a", "b", "c"}) {
            const double share = uniform(random);
            curves[name] = {1e-6 * std::exp(3 * share),
                            1e-9 * std::exp(3 - 3 * share + 0.5 * uniform(random))};
        }
        const auto truth = [&](const std::string& name, double bytes) {
            return curves[name].first + bytes * curves[name].second;
        };
        Cell cell;
        for (double exact = 8; exact <= 1 << 20; exact *= 1.5) {
            const auto bytes = static_cast<std::size_t>(exact);
            for (const auto& [name, curve] : curves) {
                const double measured = truth(name, static_cast<double>(bytes)) * std::exp(noise(random));
                cell.times[bytes][name] = time(bytes, measured, 0.06);
            }
        }
        const std::vector<Rule> rules = tuner::rules_of(loopback_bcast, cell, 0.01);
        EXPECT_LE(rules.size(), 21u);
        for (double bytes = 8; bytes <= 1 << 20; bytes *= 1.1) {
            std::string chosen = "default";
            for (const Rule& rule : rules) {
                if (bytes >= static_cast<double>(rule.from_bytes) &&
                    bytes <= static_cast<double>(rule.to_bytes)) {
                    chosen = rule.algorithm;
                }
            }
            double best = truth(chosen, bytes);
            for (const auto& [name, curve] : curves) {
                best = std::min(best, truth(name, bytes));
            }
            sum_of_losses += truth(chosen, bytes) / best - 1;
            ++sizes;
        }
    }
    ASSERT_GT(sizes, 10000);
    EXPECT_LE(sum_of_losses / static_cast<double>(sizes), 0.02);
    std::printf("mean loss %.2f%%\n", 100 * sum_of_losses / static_cast<double>(sizes));
}

}  // namespace

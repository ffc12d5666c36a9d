// SPDX-License-Identifier: MIT
#include "verify.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using tuner::CaseRecord;
using tuner::CellKey;
using tuner::Rule;

const CellKey proven_bcast = {"loopback", {4, 2, tuner::Mapping::block}, "bcast", ""};

Rule rule_from_to(std::size_t from, std::size_t to) {
    Rule rule;
    rule.network = proven_bcast.network;
    rule.layout = proven_bcast.layout;
    rule.collective = proven_bcast.collective;
    rule.algorithm = "ring";
    rule.from_bytes = from;
    rule.to_bytes = to;
    return rule;
}

// A library where the default takes 1 s and ring `seconds(bytes)`, both with the same disturbance and noise
struct World {
    std::function<double(std::size_t)> seconds;
    std::mt19937_64 random{3};
    std::vector<std::size_t> asked = {};

    std::vector<CaseRecord> operator()(const CellKey&, std::size_t bytes,
                                       const std::vector<std::string>& algorithms) {
        asked.push_back(bytes);
        std::normal_distribution<double> noise(0, 0.03);
        std::vector<CaseRecord> records(algorithms.size());
        for (int i = 0; i < 40; ++i) {
            const double common = std::exp(5 * noise(random));
            for (std::size_t a = 0; a < algorithms.size(); ++a) {
                records[a].algorithm = algorithms[a];
                const double time = algorithms[a] == "ring" ? seconds(bytes) : 1;
                records[a].samples_seconds.push_back(time * common * std::exp(noise(random)));
            }
        }
        return records;
    }
};

tuner::Verification verify(World& world, const std::vector<Rule>& rules) {
    tuner::Config config;
    config.rules = rules;
    tuner::Cells cells;
    for (std::size_t bytes = 8; bytes <= 1 << 20; bytes *= 8) {
        cells[proven_bcast].times[bytes] = {};
    }
    return tuner::verify(config, cells, tuner::Plan{}, std::ref(world));
}

TEST(Verify, KeepsARuleThatWinsWithItsGain) {
    World world{[](std::size_t) { return 0.8; }};
    const auto result = verify(world, {rule_from_to(100, 100000)});
    ASSERT_EQ(result.rules.size(), 1u);
    EXPECT_NEAR(result.rules[0].verified_gain, 0.25, 0.03);
    EXPECT_LT(result.rules[0].verified_interval.low, 0.25);
    EXPECT_GT(result.rules[0].verified_interval.high, 0.25);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_FALSE(result.proofs.empty());
}

TEST(Verify, AsksOnlyForSizesThatWereNotUsedForDeciding) {
    World world{[](std::size_t) { return 0.8; }};
    verify(world, {rule_from_to(0, 1 << 20)});
    ASSERT_FALSE(world.asked.empty());
    for (const std::size_t bytes : world.asked) {
        std::size_t used = 8;
        while (used < bytes) {
            used *= 8;
        }
        EXPECT_NE(bytes, used);
        EXPECT_EQ(bytes % 8, 0u);
    }
}

TEST(Verify, DropsARuleThatDoesNotWin) {
    World world{[](std::size_t) { return 1.0; }};
    const auto result = verify(world, {rule_from_to(100, 100000)});
    EXPECT_TRUE(result.rules.empty());
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_NE(result.notes[0].find("no gain"), std::string::npos) << result.notes[0];
}

TEST(Verify, DropsARuleThatLoses) {
    World world{[](std::size_t) { return 1.3; }};
    const auto result = verify(world, {rule_from_to(100, 100000)});
    EXPECT_TRUE(result.rules.empty());
    EXPECT_NE(result.notes.at(0).find("slower"), std::string::npos) << result.notes[0];
}

TEST(Verify, NarrowsARuleThatLosesAtOneEnd) {
    World world{[](std::size_t bytes) { return bytes < 2000 ? 1.4 : 0.6; }};
    const auto result = verify(world, {rule_from_to(100, 1 << 20)});
    ASSERT_EQ(result.rules.size(), 1u);
    EXPECT_EQ(result.rules[0].to_bytes, 1u << 20);
    EXPECT_GT(result.rules[0].from_bytes, 500u);
    for (const tuner::Proof& proof : result.proofs) {
        if (proof.bytes >= result.rules[0].from_bytes) {
            EXPECT_GT(proof.ratio.ratio, 1) << proof.bytes;
        }
    }
    EXPECT_NE(result.notes.at(0).find("narrowed"), std::string::npos);
}

TEST(Verify, ARuleThatCannotBeMeasuredIsDropped) {
    tuner::Config config;
    config.rules = {rule_from_to(100, 100000)};
    tuner::Cells cells;
    cells[proven_bcast] = {};
    const auto result = tuner::verify(config, cells, tuner::Plan{},
                                      [](const CellKey&, std::size_t, const std::vector<std::string>&) {
                                          return std::vector<CaseRecord>{};
                                      });
    EXPECT_TRUE(result.rules.empty());
    EXPECT_EQ(result.notes.size(), 1u);
}

// No harm: with no difference at all, at most one rule in twenty survives by chance.
TEST(Verify, ChanceIsNoGain) {
    World world{[](std::size_t) { return 1.0; }};
    std::size_t kept = 0;
    for (int i = 0; i < 200; ++i) {
        kept += verify(world, {rule_from_to(100, 100000)}).rules.size();
    }
    EXPECT_LE(kept, 18u);  // 10 expected
}

}  // namespace

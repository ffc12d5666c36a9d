// SPDX-License-Identifier: MIT
#include "verify.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <set>

namespace {

using tuner::CaseRecord;
using tuner::CellKey;
using tuner::Rule;

const CellKey proven_bcast = {"loopback", {4, 2, tuner::Mapping::block}, "bcast", ""};

Rule rule_from_to(std::size_t from, std::size_t to) {
    Rule rule;
    rule.network = proven_bcast.network;
    rule.where = tuner::LayoutRange::exactly(proven_bcast.layout);
    rule.collective = proven_bcast.collective;
    rule.algorithm = "ring";
    rule.from_bytes = from;
    rule.to_bytes = to;
    return rule;
}

// A library where the default takes 1 s and ring `seconds(bytes)`, both with the same disturbance and noise;
// jobs differ
struct World {
    std::function<double(std::size_t)> seconds;
    double between_jobs = 0.01;
    double noise = 0.03;
    int pairs = 14;
    std::function<std::string(std::size_t)> used_by_default = [](std::size_t) { return "binomial"; };
    std::size_t requests_left = 1000000;                    // then the time is up
    std::function<double(std::size_t)> in_a_row = nullptr;  // nullptr: ranks start together
    std::mt19937_64 random{3};
    std::set<std::size_t> asked = {};
    std::set<int> jobs = {};

    std::vector<CaseRecord> operator()(const tuner::PairRequest& request) {
        if (requests_left == 0) {
            return {};
        }
        --requests_left;
        asked.insert(request.bytes);
        jobs.insert(request.job);
        const double ring = request.calls_in_a_row > 1 ? in_a_row(request.bytes) : seconds(request.bytes);
        std::normal_distribution<double> normal;
        std::mt19937_64 of_job(static_cast<std::uint64_t>(request.job) + 17 * random_of_world);
        const double effect = between_jobs * normal(of_job);
        std::vector<CaseRecord> records(2);
        for (std::size_t a = 0; a < 2; ++a) {
            records[a].algorithm = request.algorithms[a];
            records[a].used = a == 1 ? "ring" : used_by_default(request.bytes);
            records[a].start_skew_seconds = in_a_row ? 0.5 : 0;
        }
        for (int i = 0; i < pairs; ++i) {
            const double common = 5 * noise * normal(random);
            records[0].samples_seconds.push_back(std::exp(common + noise * normal(random)));
            records[1].samples_seconds.push_back(ring * std::exp(common + effect + noise * normal(random)));
        }
        return records;
    }
    std::uint64_t random_of_world = 1;
};

tuner::Verification verify(World& world, const std::vector<Rule>& rules) {
    tuner::Config config;
    config.rules = rules;
    tuner::Cells cells;
    for (std::size_t bytes = 8; bytes <= 1 << 20; bytes *= 8) {
        tuner::CellTime by_default;
        by_default.used = world.used_by_default(bytes);
        cells[proven_bcast].times[bytes] = {{"default", by_default}};
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
    EXPECT_EQ(result.rules[0].from_bytes, 100u);
    EXPECT_EQ(result.rules[0].to_bytes, 100000u);
    EXPECT_TRUE(result.notes.empty());
    ASSERT_FALSE(result.proofs.empty());
    EXPECT_EQ(result.proofs[0].job_ratios.size(), 3u);
    EXPECT_EQ(world.jobs, (std::set<int>{0, 1, 2}));
}

TEST(Verify, BothEndsAreVerified) {
    World world{[](std::size_t) { return 0.8; }};
    verify(world, {rule_from_to(100, 100000)});
    EXPECT_EQ(*world.asked.begin(), 104u);
    EXPECT_EQ(*world.asked.rbegin(), 100000u);
    EXPECT_EQ(world.asked.size(), 6u);
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
    EXPECT_EQ(world.jobs.size(), 1u) << "one job is enough to see that";
}

// A gain that is real, but too small to be worth a rule
TEST(Verify, DropsARuleWithTooSmallAGain) {
    World world{[](std::size_t) { return 1 / 1.012; }, 0.001, 0.005};
    EXPECT_TRUE(verify(world, {rule_from_to(100, 100000)}).rules.empty());
}

// In one job it is a clear gain, in others it is none: no number of repetitions in one job can show that
TEST(Verify, AGainOfSomeJobsIsNone) {
    std::size_t kept = 0;
    for (std::uint64_t i = 0; i < 100; ++i) {
        World world{[](std::size_t) { return 1.0; }, 0.1, 0.01, 100};
        world.random_of_world = i;
        kept += verify(world, {rule_from_to(100, 100000)}).rules.size();
    }
    EXPECT_LE(kept, 14u);  // 5 expected; by one job each, about 40
}

TEST(Verify, NarrowsARuleToTheLastVerifiedSize) {
    World world{[](std::size_t bytes) { return bytes < 2000 ? 1.4 : 0.6; }};
    const auto result = verify(world, {rule_from_to(100, 1 << 20)});
    ASSERT_EQ(result.rules.size(), 1u);
    EXPECT_EQ(result.rules[0].to_bytes, 1u << 20);
    EXPECT_GE(result.rules[0].from_bytes, 2000u);
    EXPECT_TRUE(world.asked.contains(result.rules[0].from_bytes));
    EXPECT_NE(result.notes.at(0).find("narrowed"), std::string::npos);
}

// A rule that was extended to the size before the default turns to its algorithm: the end stays as it is if
// the last multiple of 8 holds, and is cut if that is slower, whatever the default does next to it
TEST(Verify, AnExtendedEndStaysOrIsCutAndStaysCut) {
    World good{[](std::size_t) { return 0.5; }};
    EXPECT_EQ(verify(good, {rule_from_to(432, 4551)}).rules.at(0).to_bytes, 4551u);
    EXPECT_TRUE(good.asked.contains(4544));
    World bad{[](std::size_t bytes) { return bytes <= 4478 ? 0.5 : 1.2; }};
    bad.used_by_default = [](std::size_t bytes) { return bytes < 4552 ? "brucks" : "ring"; };
    const auto result = verify(bad, {rule_from_to(432, 4551)});
    ASSERT_EQ(result.rules.size(), 1u);
    EXPECT_LE(result.rules[0].to_bytes, 4478u);
    EXPECT_NE(result.notes.at(0).find("narrowed"), std::string::npos);
}

// The first size, or the last one, or one between that is slower by 3%: the rule does not keep it
TEST(Verify, ASizeThatIsSlightlySlowerIsCut) {
    for (const std::size_t bad : {104u, 100000u, 3224u}) {
        World world{[&](std::size_t bytes) { return bytes == bad ? 1.03 : 0.7; }, 0.002, 0.01};
        const auto result = verify(world, {rule_from_to(100, 100000)});
        ASSERT_TRUE(world.asked.contains(bad)) << bad;
        for (const Rule& rule : result.rules) {
            EXPECT_FALSE(rule.from_bytes <= bad && bad <= rule.to_bytes) << bad;
        }
        EXPECT_EQ(result.rules.size(), 1u) << bad;
    }
}

// Above 512 bytes the default runs ring itself: an end there would be 'proven' by chance
TEST(Verify, SizesWithTheSameAlgorithmProveNothing) {
    World world{[](std::size_t bytes) { return bytes <= 512 ? 0.7 : 1; }};
    world.used_by_default = [](std::size_t bytes) { return bytes <= 512 ? "binomial" : "ring"; };
    const auto result = verify(world, {rule_from_to(8, 1 << 20)});
    ASSERT_EQ(result.rules.size(), 1u);
    EXPECT_TRUE(world.asked.contains(512)) << "the last size before the switch";
    for (const tuner::Proof& proof : result.proofs) {
        EXPECT_EQ(proof.is_same, proof.bytes > 512) << proof.bytes;
    }
    EXPECT_NEAR(result.rules[0].verified_gain, 1 / 0.7 - 1, 0.05);
}

TEST(Verify, ARuleThatCannotBeMeasuredIsDropped) {
    World world{[](std::size_t) { return 0.5; }};
    world.requests_left = 0;
    const auto result = verify(world, {rule_from_to(100, 100000)});
    EXPECT_TRUE(result.rules.empty());
    EXPECT_EQ(result.notes.size(), 1u);
}

// The time is up in the third job: what it did not measure is not proven
TEST(Verify, WhatWasNotMeasuredIsNotProven) {
    World world{[](std::size_t) { return 0.5; }};
    world.requests_left = 2 * 6 + 4;
    const auto result = verify(world, {rule_from_to(100, 100000)});
    ASSERT_EQ(result.rules.size(), 1u);
    const std::vector<std::size_t> sizes(world.asked.begin(), world.asked.end());
    EXPECT_EQ(result.rules[0].to_bytes, sizes.at(3));
    world.requests_left = 2 * 6;
    EXPECT_TRUE(verify(world, {rule_from_to(100, 100000)}).rules.empty()) << "two jobs are not enough";
}

TEST(Verify, WhereRanksStartApartItMustWinInCallsInARow) {
    World loses{[](std::size_t) { return 0.7; }};
    loses.in_a_row = [](std::size_t) { return 1.1; };
    const auto lost = verify(loses, {rule_from_to(100, 100000)});
    EXPECT_TRUE(lost.rules.empty());
    World wins{[](std::size_t) { return 0.7; }};
    wins.in_a_row = [](std::size_t) { return 0.9; };
    const auto won = verify(wins, {rule_from_to(100, 100000)});
    ASSERT_EQ(won.rules.size(), 1u);
    ASSERT_TRUE(won.proofs.at(0).in_a_row);
    EXPECT_NEAR(won.proofs.at(0).in_a_row->ratio, 1 / 0.9, 0.05);
}

// No harm: with no difference at all, at most one verification in twenty keeps any rule by chance
TEST(Verify, ChanceIsNoGain) {
    std::size_t kept = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
        World world{[](std::size_t) { return 1.0; }, 0.024, 0.13};
        world.random_of_world = i;
        kept += !verify(world, {rule_from_to(100, 1000), rule_from_to(2000, 100000)}).rules.empty();
    }
    EXPECT_LE(kept, 18u);  // 10 expected
}

}  // namespace

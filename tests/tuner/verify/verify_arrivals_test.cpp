// SPDX-License-Identifier: MIT
#include "verify_arrivals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <tuple>

#include "contains.hpp"

namespace {

using tuner::CaseRecord;
using tuner::PairRequest;
using tuner::Proof;
using tuner::Rule;
using tuner::Verification;

const tuner::CellKey cell = {"eth", {4, 2, tuner::Mapping::block}, "bcast", ""};

// A rule for ring from the first of these sizes to the last, with a proof at each: default / tuned
Verification verified(const std::vector<std::pair<std::size_t, double>>& gains) {
    Verification result;
    Rule rule;
    rule.network = cell.network;
    rule.where = tuner::LayoutRange::exactly(cell.layout);
    rule.collective = cell.collective;
    rule.algorithm = "ring";
    rule.from_bytes = gains.front().first;
    rule.to_bytes = gains.back().first;
    result.rules = {rule};
    for (const auto& [bytes, gain] : gains) {
        Proof proof;
        proof.cell = cell;
        proof.bytes = bytes;
        proof.algorithm = rule.algorithm;
        proof.ratio = {gain, {gain / 1.02, gain * 1.02}};
        result.proofs.push_back(proof);
    }
    return result;
}

// Ranks that arrive apart: default / tuned by pattern and size, 1.2 if it is not named
struct Apart {
    std::map<std::pair<std::string, std::size_t>, double> ratios = {};
    std::size_t requests_left = 1000;
    std::vector<std::tuple<std::string, std::size_t, int>> asked = {};
    std::mt19937_64 random{5};

    std::vector<CaseRecord> operator()(const PairRequest& request) {
        if (requests_left == 0) {
            return {};
        }
        --requests_left;
        const std::string arrival = models::to_string(request.arrival);
        asked.emplace_back(arrival, request.bytes, request.job);
        const auto named = ratios.find({arrival, request.bytes});
        std::normal_distribution<double> noise(0, 0.02);
        std::vector<CaseRecord> records(2);
        for (std::size_t a = 0; a < 2; ++a) {
            records[a].algorithm = request.algorithms[a];
            for (int pair = 0; pair < 10; ++pair) {
                const double ratio = a == 1 || named == ratios.end() ? 1.2 : named->second;
                records[a].samples_seconds.push_back((a == 1 ? 1 : ratio) * std::exp(noise(random)));
            }
        }
        return records;
    }

    std::size_t times_asked(const std::string& arrival, std::size_t bytes) const {
        return static_cast<std::size_t>(std::count_if(asked.begin(), asked.end(), [&](const auto& question) {
            return std::get<0>(question) == arrival && std::get<1>(question) == bytes;
        }));
    }
};

void test_apart(Verification& result, Apart& apart) {
    tuner::Plan plan;
    for (const char* text : {"one-late:2", "random:0.5"}) {
        plan.arrivals.push_back(models::parse_arrival(text));
    }
    tuner::verify_arrivals(
        plan, [&](const PairRequest& request) { return apart(request); }, result);
}

const Proof& proof_at(const Verification& result, std::size_t bytes) {
    return *std::find_if(result.proofs.begin(), result.proofs.end(),
                         [&](const Proof& proof) { return proof.bytes == bytes; });
}

}  // namespace

TEST(VerifyArrivals, ARuleThatHoldsIsTestedOnceAtItsWeakestSizeAndAtItsSmallest) {
    Verification result = verified({{1024, 1.8}, {4096, 1.1}, {16384, 1.5}});
    Apart apart;
    test_apart(result, apart);
    ASSERT_EQ(result.rules.size(), 1U);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_EQ(apart.asked.size(), 4U);
    for (const std::size_t bytes : {4096U, 1024U}) {
        const auto& arrivals = proof_at(result, bytes).arrivals;
        ASSERT_EQ(arrivals.size(), 2U);
        EXPECT_NEAR(arrivals.at("one-late:2").ratio, 1.2, 0.05);
    }
    EXPECT_TRUE(proof_at(result, 16384).arrivals.empty());
}

TEST(VerifyArrivals, ALossIsMeasuredInThreeJobsAndCutsTheRuleAtItsEnd) {
    Verification result = verified({{1024, 1.1}, {4096, 1.3}, {16384, 1.5}});
    Apart apart = {{{{"one-late:2", 1024}, 0.8}}};
    test_apart(result, apart);
    ASSERT_EQ(result.rules.size(), 1U);
    EXPECT_EQ(result.rules.front().from_bytes, 4096U);
    EXPECT_EQ(result.rules.front().to_bytes, 16384U);
    EXPECT_EQ(apart.times_asked("one-late:2", 1024), 3U);
    EXPECT_EQ(apart.times_asked("random:0.5", 1024), 1U);
    EXPECT_EQ(apart.times_asked("one-late:2", 4096), 1U) << "what is now the weakest size";
    ASSERT_EQ(result.notes.size(), 1U);
    EXPECT_CONTAINS(result.notes.front(), "was narrowed to 4Ki to 16Ki");
    EXPECT_CONTAINS(result.notes.front(),
                    "25% slower than the default at 1Ki on 4x2 with arrival one-late:2");
    EXPECT_LT(proof_at(result, 1024).arrivals.at("one-late:2").ratio, 0.85);
}

TEST(VerifyArrivals, ALossInsideOfARuleLeavesItsWiderSide) {
    struct Side {
        std::vector<std::pair<std::size_t, double>> gains;
        std::size_t from_bytes;
        std::size_t to_bytes;
    };
    for (const Side& side : {Side{{{1024, 1.3}, {4096, 1.1}, {16384, 1.5}, {65536, 1.5}}, 16384, 65536},
                             Side{{{64, 1.3}, {1024, 1.3}, {4096, 1.1}, {16384, 1.5}}, 64, 1024}}) {
        Verification result = verified(side.gains);
        Apart apart = {{{{"random:0.5", 4096}, 0.9}}};
        test_apart(result, apart);
        ASSERT_EQ(result.rules.size(), 1U);
        EXPECT_EQ(result.rules.front().from_bytes, side.from_bytes);
        EXPECT_EQ(result.rules.front().to_bytes, side.to_bytes);
        EXPECT_GT(apart.times_asked("random:0.5", side.from_bytes == 64 ? 64 : 16384), 0U)
            << "what is left is tested, too";
    }
}

TEST(VerifyArrivals, ALossAtTheSmallestSizeOnlyCutsTheRule) {
    Verification result = verified({{1024, 1.8}, {4096, 1.3}, {16384, 1.1}});
    Apart apart = {{{{"one-late:2", 1024}, 0.8}}};
    test_apart(result, apart);
    ASSERT_EQ(result.rules.size(), 1U);
    EXPECT_EQ(result.rules.front().from_bytes, 4096U);
    EXPECT_EQ(result.rules.front().to_bytes, 16384U);
    EXPECT_EQ(apart.times_asked("one-late:2", 16384), 1U) << "which holds still";
}

// Where the rule for one layout is cut, the one for a range of layouts would hold
TEST(VerifyArrivals, ALossIsAlsoThatOfOtherRulesWithTheAlgorithm) {
    Verification result = verified({{1024, 1.1}, {4096, 1.3}, {16384, 1.5}});
    Rule range = result.rules.front();
    range.where.nodes = {2, 8};
    result.rules.push_back(range);
    Proof proof = result.proofs.front();
    proof.cell.layout.nodes = 2;
    proof.bytes = 8;
    proof.ratio = {1.05, {1.04, 1.06}};
    result.proofs.push_back(proof);
    result.rules.back().from_bytes = 8;
    Apart apart = {{{{"one-late:2", 1024}, 0.8}}};
    test_apart(result, apart);
    ASSERT_EQ(result.rules.size(), 2U);
    EXPECT_EQ(result.rules[0].from_bytes, 4096U);
    EXPECT_EQ(result.rules[1].to_bytes, 8U) << "up to the next proven size on the wider side";
    EXPECT_EQ(apart.times_asked("one-late:2", 1024), 3U) << "of the first rule only";
}

TEST(VerifyArrivals, ManyLossesDropARule) {
    Verification result = verified({{1024, 1.1}, {4096, 1.2}, {16384, 1.3}, {65536, 1.4}, {262144, 1.5}});
    Apart apart;
    for (const std::size_t bytes : {1024U, 4096U, 16384U, 65536U}) {
        apart.ratios[{"one-late:2", bytes}] = 0.8;
    }
    test_apart(result, apart);
    EXPECT_TRUE(result.rules.empty());
}

TEST(VerifyArrivals, ALossAtItsOnlySizeDropsARule) {
    Verification result = verified({{4096, 1.1}});
    Apart apart = {{{{"random:0.5", 4096}, 0.9}}};
    test_apart(result, apart);
    EXPECT_TRUE(result.rules.empty());
    ASSERT_EQ(result.notes.size(), 1U);
    EXPECT_CONTAINS(result.notes.front(), "was dropped");
}

TEST(VerifyArrivals, LessThanTheToleratedLossIsKept) {
    Verification result = verified({{4096, 1.1}});
    Apart apart = {{{{"random:0.5", 4096}, 0.97}, {{"one-late:2", 4096}, 0.97}}};
    test_apart(result, apart);
    EXPECT_EQ(result.rules.size(), 1U);
}

TEST(VerifyArrivals, WithoutTimeOrPatternsRulesStayAsTheyAre) {
    Verification result = verified({{1024, 1.1}, {4096, 1.3}});
    Apart apart;
    apart.requests_left = 0;
    test_apart(result, apart);
    EXPECT_EQ(result.rules.size(), 1U);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_TRUE(proof_at(result, 1024).arrivals.empty());
    tuner::verify_arrivals(
        {}, [](const PairRequest&) -> std::vector<CaseRecord> { throw std::logic_error("not asked"); },
        result);
    EXPECT_EQ(result.rules.size(), 1U);
}

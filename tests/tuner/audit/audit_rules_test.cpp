// SPDX-License-Identifier: MIT
// Rules that make a bump, with answers that are written here.
#include "audit_rules.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "contains.hpp"

namespace {

using namespace tuner;

const CellKey cell = {"eth", {4, 2, Mapping::block}, "bcast", ""};
constexpr std::size_t middle = 8192;  // of the rule's widest gap

Cells cells_of_rule_for_bcast() {
    Cells cells;
    for (const std::size_t bytes : {512, 1024, 4096, 65536, 1048576}) {
        cells[cell].times[bytes][default_algorithm].time.median_seconds = static_cast<double>(bytes) * 1e-8;
    }
    return cells;
}

// A rule for ring, proven at both ends and once between
Verification verified() {
    Verification result;
    Rule rule;
    rule.network = cell.network;
    rule.where = LayoutRange::exactly(cell.layout);
    rule.collective = cell.collective;
    rule.algorithm = "ring";
    rule.from_bytes = 1024;
    rule.to_bytes = 65536;
    result.rules = {rule};
    for (const std::size_t bytes : {1024, 65536}) {
        Proof proof;
        proof.cell = cell;
        proof.bytes = bytes;
        proof.algorithm = rule.algorithm;
        result.proofs.push_back(proof);
    }
    return result;
}

// How much longer the call takes than its mock-up: by size, with the rules and without; 1 if it is not named
struct Library {
    std::map<std::size_t, double> with_rules = {};
    std::map<std::size_t, double> by_default = {};
    std::string mock_up = {};  // of this one only; empty: of all
    bool only_first_job = false;
    std::size_t requests_left = 1000;
    std::map<bool, std::size_t> asked = {};  // by: with rules
    std::set<std::size_t> sizes = {};
    std::mt19937_64 random{3};

    MeasurePairs at(const std::vector<Rule>* rules) {
        return [this, rules](const PairRequest& request) { return answer(request, rules != nullptr); };
    }

    std::vector<CaseRecord> answer(const PairRequest& request, bool has_rules) {
        if (requests_left == 0) {
            return {};
        }
        --requests_left;
        ++asked[has_rules];
        sizes.insert(request.bytes);
        const auto& slower = has_rules ? with_rules : by_default;
        const auto found = slower.find(request.bytes);
        const bool is_meant = (mock_up.empty() || request.algorithms.back() == mock_up) &&
                              (!only_first_job || request.job == 0);
        std::normal_distribution<double> noise(0, 0.02);
        std::vector<CaseRecord> records(2);
        for (std::size_t a = 0; a < 2; ++a) {
            const double time = a == 0 && is_meant && found != slower.end() ? found->second : 1;
            records[a].algorithm = request.algorithms[a];
            for (int pair = 0; pair < 12; ++pair) {
                records[a].samples_seconds.push_back(time * std::exp(noise(random)));
            }
        }
        return records;
    }
};

Verification audited(Library& library) {
    Verification result = verified();
    audit_rules(
        cells_of_rule_for_bcast(),
        [&](const std::string& network, const Layout& layout, const std::vector<Rule>* rules) {
            EXPECT_EQ(network, cell.network);
            EXPECT_EQ(layout, cell.layout);
            return library.at(rules);
        },
        result);
    return result;
}

}  // namespace

TEST(AuditRules, ComparesEndsMiddleAndJustBelow) {
    Library library;
    const Verification result = audited(library);
    EXPECT_EQ(library.sizes, (std::set<std::size_t>{512, 1024, middle, 65536}));
    EXPECT_EQ(library.asked[true], 7U) << "two guidelines at three sizes, and monotony just below";
    EXPECT_EQ(library.asked[false], 0U) << "one job is enough where nothing is slower";
    EXPECT_EQ(result.rules.size(), 1U);
    EXPECT_TRUE(result.notes.empty());
}

TEST(AuditRules, ABumpBetweenProvenSizesIsCutOutOfTheRule) {
    Library library = {{{middle, 1.4}}};
    const Verification result = audited(library);
    ASSERT_EQ(result.rules.size(), 2U);
    EXPECT_EQ(result.rules[0].from_bytes, 1024U);
    EXPECT_EQ(result.rules[0].to_bytes, 1024U);
    EXPECT_EQ(result.rules[1].from_bytes, 65536U);
    EXPECT_EQ(result.rules[1].to_bytes, 65536U);
    EXPECT_EQ(library.asked[true], 7U + 2U * 3U) << "three more jobs for what seemed to be slower";
    EXPECT_EQ(library.asked[false], 2U * 3U);
    ASSERT_FALSE(result.notes.empty());
    EXPECT_CONTAINS(result.notes.front(), "was narrowed around 8Ki");
    EXPECT_CONTAINS(result.notes.front(), "times as long");
}

TEST(AuditRules, ABumpThatTheDefaultHasIsNotNew) {
    Library library = {{{middle, 1.4}}, {{middle, 1.4}}};
    const Verification result = audited(library);
    EXPECT_EQ(result.rules.size(), 1U);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_EQ(library.asked[false], 2U * 3U);
}

TEST(AuditRules, WhereTheRuleIsProvenOrBelowItAViolationIsReported) {
    for (const std::size_t bytes : {std::size_t{512}, std::size_t{1024}}) {
        Library library = {{{bytes, 1.4}}};
        library.mock_up = "mockup:double_size";
        const Verification result = audited(library);
        EXPECT_EQ(result.rules.size(), 1U);
        ASSERT_EQ(result.notes.size(), 1U);
        EXPECT_CONTAINS(result.notes.front(), "guideline: with the rules, bcast of");
        EXPECT_CONTAINS(result.notes.front(), "itself, twice the size");
    }
}

TEST(AuditRules, ChanceInTheFirstJobIsNoViolation) {
    Library library = {{{middle, 1.4}}};
    library.only_first_job = true;
    const Verification result = audited(library);
    EXPECT_EQ(result.rules.size(), 1U);
    EXPECT_TRUE(result.notes.empty());
    EXPECT_EQ(library.asked[false], 2U * 3U);
}

TEST(AuditRules, WithoutTimeRulesStay) {
    for (const std::size_t requests : {0, 3, 10, 14}) {
        Library library = {{{middle, 1.4}}};
        library.requests_left = requests;
        const Verification result = audited(library);
        EXPECT_EQ(result.rules.size(), 1U);
        ASSERT_EQ(result.notes.size(), 1U);
        EXPECT_CONTAINS(result.notes.front(), "not all rules were audited");
    }
}

TEST(AuditRules, LongCallsAreLeftOut) {
    Verification result = verified();
    Cells cells = cells_of_rule_for_bcast();
    cells[cell].times[65536][default_algorithm].time.median_seconds = 0.2;
    for (const AuditCase& one : cases_of_rule(result.rules.front(), result.proofs, cells[cell])) {
        EXPECT_LT(one.bytes, 65536U);
        EXPECT_TRUE(one.is_loaded);
        EXPECT_EQ(one.rule, one.bytes < 1024 ? "" : "ring");
    }
}

// SPDX-License-Identifier: MIT
#include "small_gaps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "decide.hpp"
#include "lab_allgather.hpp"

namespace {

using namespace tuner;
namespace lab = lab_allgather;

constexpr double gap_loss_bound = 0.02;

Rule gap_rule(const CellKey& key, std::size_t from, std::size_t to, const std::string& algorithm,
              const std::string& basis = "measured") {
    Rule rule;
    rule.network = key.network;
    rule.where = LayoutRange::exactly(key.layout);
    rule.collective = key.collective;
    rule.from_bytes = from;
    rule.to_bytes = to;
    rule.algorithm = algorithm;
    rule.from_interval = {static_cast<double>(from), static_cast<double>(from)};
    rule.expected_gain = 1;
    rule.basis = basis;
    return rule;
}

Rule ring_rule(std::size_t from, std::size_t to, const std::string& basis = "measured") {
    return gap_rule(lab::key, from, to, "ring", basis);
}

// 432-4478 ring, 4479-9000 smp
std::string ranges_text(const std::vector<Rule>& rules) {
    std::string text;
    for (const Rule& rule : rules) {
        text += (text.empty() ? "" : ", ") + std::to_string(rule.from_bytes) + "-" +
                std::to_string(rule.to_bytes) + " " + rule.algorithm;
    }
    return text;
}

std::string gaps_closed(std::vector<Rule> rules, const Cell& cell = lab::cell()) {
    return ranges_text(close_small_gaps(std::move(rules), lab::key, cell, gap_loss_bound));
}

// Without what was measured beyond the rule: only the size of the gap counts
Cell until_last_gain() {
    Cell cell = lab::cell();
    cell.times.erase(8192);
    return cell;
}

TEST(SmallGaps, ARuleGoesUpToTheSizeWhereTheDefaultTurnsToItsAlgorithm) {
    EXPECT_EQ(ranges_text(rules_of(lab::key, lab::cell(), gap_loss_bound)), "432-4478 ring") << "as it was";
    const Config config = decide({{lab::key, lab::cell()}}, gap_loss_bound, {{lab::key.network, {}}});
    EXPECT_EQ(ranges_text(config.rules), "432-4551 ring");
    EXPECT_EQ(config.rules[0].basis, "measured");
    EXPECT_NEAR(config.rules[0].expected_gain, std::cbrt(2.45 * 2.8 * 3.06) - 1, 1e-6);
    EXPECT_EQ(gaps_closed({ring_rule(432, 1392), ring_rule(1393, 4478, "model")}, until_last_gain()),
              "432-1392 ring, 1393-4551 ring");
}

TEST(SmallGaps, AWideGapIsClosedOnlyBetweenMeasuredSizes) {
    EXPECT_EQ(gaps_closed({ring_rule(432, 3000)}, until_last_gain()), "432-3000 ring");
    Cell cell = lab::cell();
    cell.times.erase(lab::last_gain);
    EXPECT_EQ(gaps_closed({ring_rule(432, 1392)}, cell), "432-4551 ring")
        << "good at 1392, and the default's at 8192";
    EXPECT_EQ(gaps_closed({ring_rule(432, 1000)}, cell), "432-1000 ring") << "1392 is in the gap";
    cell.times.erase(8192);
    EXPECT_EQ(gaps_closed({ring_rule(432, 1392)}, cell), "432-1392 ring") << "nothing is known beyond 1392";
}

// The default is Bruck's algorithm up to 4551 bytes
TEST(SmallGaps, ARuleStartsAsTheDefaultLeavesItsAlgorithm) {
    Cell cell;
    for (const std::size_t bytes : {1024u, 4096u}) {
        cell.times[bytes] = {{"default", lab::time(bytes, 1, "brucks")}};
    }
    for (const std::size_t bytes : {5000u, 8192u}) {
        cell.times[bytes] = {{"default", lab::time(bytes, 2, "ring")},
                             {"brucks", lab::time(bytes, 1, "brucks")}};
    }
    const std::vector<Rule> rules =
        close_small_gaps({gap_rule(lab::key, 5000, 8192, "brucks")}, lab::key, cell, gap_loss_bound);
    EXPECT_EQ(ranges_text(rules), "4552-8192 brucks");
    EXPECT_EQ(rules[0].from_interval.low, 4552);
    EXPECT_EQ(rules[0].from_interval.high, 5000);
    cell.times.erase(4096);
    cell.times.erase(1024);
    EXPECT_EQ(gaps_closed({gap_rule(lab::key, 8192, 8192, "brucks")}, cell), "8192-8192 brucks")
        << "5000 bytes were measured, and are more than a factor away";
}

TEST(SmallGaps, StayWhereAnotherAlgorithmIsFaster) {
    struct Case {
        const char* what;
        Times at_4500;
        bool is_closed;
    };
    Times with_other = lab::times(4500, 1.01);
    with_other["smp"] = lab::time(4500, 0.8, "smp");
    Times noisy = lab::times(4500, 0.87);
    noisy["ring"].time.interval = {0.5, 2};
    for (const Case& row :
         {Case{"no difference", lab::times(4500, 1.0), true},
          Case{"ring is faster", lab::times(4500, 1.5), true},
          Case{"the default is faster", lab::times(4500, 0.9), false},
          Case{"another one is faster", with_other, false}, Case{"looks much slower", noisy, false},
          Case{"ring was not measured", {{"default", lab::time(4500, 1, "brucks")}}, false},
          Case{"the default was not", {{"ring", lab::time(4500, 1, "ring")}}, false}}) {
        Cell cell = lab::cell();
        cell.times[4500] = row.at_4500;
        EXPECT_EQ(gaps_closed({ring_rule(432, 4478)}, cell),
                  row.is_closed ? "432-4551 ring" : "432-4478 ring")
            << row.what;
    }
    Cell crashed = lab::cell();
    crashed.missing[4500]["ring"] = "the job died";
    EXPECT_EQ(gaps_closed({ring_rule(432, 4478)}, crashed), "432-4478 ring");
}

TEST(SmallGaps, GainAndLossAreThoseOfAllMeasuredSizes) {
    Cell cell = lab::cell();
    cell.times[4500] = lab::times(4500, 1);
    cell.times[4500]["smp"] = lab::time(4500, 0.985, "smp");
    const Rule rule = close_small_gaps({ring_rule(432, 4478)}, lab::key, cell, gap_loss_bound).at(0);
    EXPECT_NEAR(rule.expected_gain, std::pow(2.45 * 2.8 * 3.06, 0.25) - 1, 1e-6);
    EXPECT_NEAR(rule.worst_loss, 1 / 0.985 - 1, 1e-6);
}

TEST(SmallGaps, StayWhereAnotherRuleStands) {
    EXPECT_EQ(gaps_closed({ring_rule(432, 4478), gap_rule(lab::key, 4490, 4500, "smp")}),
              "432-4478 ring, 4490-4500 smp");
}

TEST(SmallGaps, StayWhereTheDefaultOrItsThresholdsAreUnknown) {
    Cell cell = lab::cell();
    for (auto& [bytes, times] : cell.times) {
        times.at("default").used = "";  // Open MPI does not say what it used
    }
    EXPECT_EQ(gaps_closed({ring_rule(432, 4478)}, cell), "432-4478 ring");
    Cell other = lab::cell();
    other.times.at(1392).at("default").used = "smp";  // the thresholds are not those of the library
    EXPECT_EQ(gaps_closed({ring_rule(432, 4478)}, other), "432-4478 ring");
    CellKey scan = lab::key;
    scan.collective = "scan";
    EXPECT_EQ(ranges_text(close_small_gaps({ring_rule(432, 4478)}, scan, lab::cell(), gap_loss_bound)),
              "432-4478 ring");
}

TEST(SmallGaps, BetweenTwoRulesOfOneAlgorithmAreClosed) {
    Cell cell = until_last_gain();
    cell.times[1500] = lab::times(1500, 1);
    cell.times[1600] = lab::times(1600, 2);
    const std::vector<Rule> rules =
        close_small_gaps({ring_rule(432, 1392), ring_rule(1600, 3000)}, lab::key, cell, gap_loss_bound);
    EXPECT_EQ(ranges_text(rules), "432-3000 ring");
    EXPECT_NEAR(rules.at(0).expected_gain, std::pow(2.45 * 2.8 * 1 * 2, 0.25) - 1, 1e-6);
    EXPECT_EQ(rules.at(0).from_interval.low, 432);
    EXPECT_EQ(gaps_closed({ring_rule(432, 1392), ring_rule(1600, 2000), ring_rule(2100, 3000)}, cell),
              "432-3000 ring");
    EXPECT_EQ(gaps_closed({ring_rule(432, 1000), ring_rule(1600, 3000)}, cell),
              "432-1000 ring, 1600-3000 ring")
        << "wide";
    EXPECT_EQ(gaps_closed({ring_rule(432, 1392), gap_rule(lab::key, 1600, 3000, "smp")}, cell),
              "432-1392 ring, 1600-3000 smp");
    cell.times[1500] = lab::times(1500, 0.9);
    EXPECT_EQ(gaps_closed({ring_rule(432, 1392), ring_rule(1600, 3000)}, cell),
              "432-1392 ring, 1600-3000 ring");
}

TEST(SmallGaps, RulesOfDifferentBasisAdjoinAndKeepIt) {
    for (const bool is_first_measured : {true, false}) {
        const std::vector<Rule> rules =
            close_small_gaps({ring_rule(432, 1392, is_first_measured ? "measured" : "model"),
                              ring_rule(1500, 3000, is_first_measured ? "model" : "measured")},
                             lab::key, until_last_gain(), gap_loss_bound);
        EXPECT_EQ(ranges_text(rules),
                  is_first_measured ? "432-1392 ring, 1393-3000 ring" : "432-1499 ring, 1500-3000 ring");
        EXPECT_EQ(rules.at(0).basis, is_first_measured ? "measured" : "model");
        EXPECT_EQ(rules.at(1).basis, is_first_measured ? "model" : "measured");
        EXPECT_EQ(rules.at(0).expected_gain, 1);
        EXPECT_EQ(rules.at(1).expected_gain, 1);
    }
}

TEST(SmallGaps, RulesWithoutGapsStayAsTheyAre) {
    EXPECT_EQ(gaps_closed({}), "");
    const std::vector<Rule> rules =
        close_small_gaps({ring_rule(432, 4551)}, lab::key, lab::cell(), gap_loss_bound);
    EXPECT_EQ(ranges_text(rules), "432-4551 ring");
    EXPECT_EQ(rules[0].expected_gain, 1) << "not computed again";
    EXPECT_EQ(gaps_closed({ring_rule(432, 10000)}), "432-10000 ring");
    EXPECT_EQ(gaps_closed({ring_rule(432, no_end)}), "432-" + std::to_string(no_end) + " ring");
    EXPECT_EQ(gaps_closed({ring_rule(0, 100)}), "0-100 ring");
}

}  // namespace

// SPDX-License-Identifier: MIT
// Rules for layouts that were not measured, from five layouts of two labs, against what all algorithms took
// there.
#include "range_rules.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "decide.hpp"
#include "recorded_layouts.hpp"

namespace {

using namespace tuner;

const std::set<Layout> five = {{1, 3}, {4, 1}, {6, 2}, {12, 1}, {12, 3}};

struct Decided {
    Cells all;      // of the lab
    Config config;  // rules of single layouts, then those of ranges
    std::size_t of_layouts = 0;
};

Decided decided(const std::string& network, const std::set<Layout>& layouts, const Extent& extent,
                const RangeLimits& limits = {}) {
    Decided result;
    result.all = recorded_layouts::cells(network);
    Cells cells = result.all;
    std::erase_if(cells, [&](const auto& entry) { return !layouts.contains(entry.first.layout); });
    for (const auto& [key, cell] : cells) {
        for (Rule& rule : rules_of(key, cell, 0.02)) {
            result.config.rules.push_back(std::move(rule));
        }
    }
    result.of_layouts = result.config.rules.size();
    std::optional<Prediction> prediction = Prediction::of(cells, network, recorded_layouts::shape(network));
    const LayoutGains gains(cells, network, *prediction);
    for (Rule& rule : range_rules(cells, network, gains, result.config.rules, extent, limits)) {
        result.config.rules.push_back(std::move(rule));
    }
    return result;
}

// Of the rules of some layouts on others, as means and counts over cells
struct Outcome {
    double loss = 0;  // against the best algorithm
    double default_loss = 0;
    int cells = 0;
    int slower = 0;  // than the default by more than 5%
};

Outcome outcome_on(const Decided& result, const std::string& network,
                   const std::function<bool(const Layout&)>& is_wanted) {
    Outcome outcome;
    for (const auto& [key, cell] : result.all) {
        for (const auto& [bytes, times] : cell.times) {
            if (!is_wanted(key.layout) || !times.contains(default_algorithm)) {
                continue;
            }
            const double by_default = times.at(default_algorithm).time.median_seconds;
            double best = by_default;
            for (const auto& [name, time] : times) {
                best = std::min(best, time.time.median_seconds);
            }
            const Rule* rule = find_rule(result.config, network, key.layout, key.collective, bytes);
            const bool is_other = rule != nullptr && rule->algorithm != times.at(default_algorithm).used;
            const CellTime* ruled = is_other ? time_of(times, rule->algorithm) : nullptr;
            const double seconds = ruled != nullptr ? ruled->time.median_seconds : by_default;
            outcome.loss += seconds / best - 1;
            outcome.default_loss += by_default / best - 1;
            outcome.slower += seconds > 1.05 * by_default;
            ++outcome.cells;
        }
    }
    outcome.loss /= outcome.cells;
    outcome.default_loss /= outcome.cells;
    testing::Test::RecordProperty("loss", std::to_string(outcome.loss));
    testing::Test::RecordProperty("slower", outcome.slower);
    return outcome;
}

struct Lab {
    const char* network;
    int most_slower;         // before verification, which finds them: ring for short allgathers on six ranks
    int most_slower_beyond;  // from at most six nodes, on eight to twelve
};
class LabRules : public testing::TestWithParam<Lab> {};

TEST_P(LabRules, ServeLayoutsThatWereNotMeasured) {
    const std::string network = GetParam().network;
    const Outcome outcome = outcome_on(decided(network, five, {12, 3}), network,
                                       [](const Layout& layout) { return !five.contains(layout); });
    EXPECT_GT(outcome.cells, 370);
    EXPECT_GT(outcome.default_loss, 0.18);
    EXPECT_LT(outcome.loss, 0.035);
    EXPECT_LE(outcome.slower, GetParam().most_slower);
}

TEST_P(LabRules, ServeTwiceTheNodesThatWereMeasured) {
    const std::string network = GetParam().network;
    const std::set<Layout> small = {{1, 3}, {2, 3}, {3, 2}, {4, 1}, {4, 3}, {5, 3}, {6, 1}, {6, 2}};
    const Outcome outcome = outcome_on(decided(network, small, {12, 3}), network,
                                       [](const Layout& layout) { return layout.nodes > 6; });
    EXPECT_GT(outcome.cells, 200);
    EXPECT_GT(outcome.default_loss, 0.1);
    EXPECT_LT(outcome.loss, 0.05);
    EXPECT_LE(outcome.slower, GetParam().most_slower_beyond);
}

INSTANTIATE_TEST_SUITE_P(Labs, LabRules, testing::Values(Lab{"eth", 10, 0}, Lab{"fast", 10, 12}),
                         [](const auto& lab) { return std::string(lab.param.network); });

TEST(RangeRules, DoNotOverruleWhatWasMeasured) {
    const Decided result = decided("eth", five, {12, 3});
    for (const auto& [key, cell] : result.all) {
        for (const auto& [bytes, times] : cell.times) {
            const Rule* rule = find_rule(result.config, "eth", key.layout, key.collective, bytes);
            if (five.contains(key.layout) && rule != nullptr && rule->basis != "measured" &&
                times.contains(default_algorithm)) {
                EXPECT_EQ(rule->algorithm, times.at(default_algorithm).used)
                    << to_string(key.layout) << ' ' << key.collective << ' ' << bytes;
            }
        }
    }
}

TEST(RangeRules, AreFewAndSayTheirBasis) {
    const Decided result = decided("eth", five, {24, 3});
    std::map<std::string, std::size_t> rules;
    for (std::size_t i = 0; i < result.of_layouts; ++i) {
        ++rules[result.config.rules[i].collective];
    }
    std::set<std::string> bases;
    for (std::size_t i = result.of_layouts; i < result.config.rules.size(); ++i) {
        const Rule& rule = result.config.rules[i];
        ++rules[rule.collective];
        EXPECT_GT(rule.expected_gain, 0.02);
        EXPECT_LE(rule.worst_loss, 0.0201);
        EXPECT_LE(rule.where.nodes.last, 24);
        EXPECT_LE(rule.where.ppn.last, 3);
        EXPECT_EQ(rule.basis, rule.where.nodes.last > 12 ? "beyond" : "between");
        bases.insert(rule.basis);
    }
    EXPECT_EQ(bases, (std::set<std::string>{"between", "beyond"}));
    for (const auto& [collective, count] : rules) {
        EXPECT_LE(count, RangeLimits{}.most_rules) << collective;
        EXPECT_LE(count, 60u) << collective;
    }
}

TEST(RangeRules, EndAtTheClusterOrTwiceWhatWasMeasured) {
    for (const int nodes : {12, 20, 100}) {
        for (const Rule& rule : decided("eth", five, {nodes, 8}).config.rules) {
            EXPECT_LE(rule.where.nodes.last, std::min(nodes, 24));
            EXPECT_LE(rule.where.ppn.last, 6);
        }
    }
}

TEST(RangeRules, NeedThreeLayouts) {
    const Decided result = decided("eth", {{12, 1}, {12, 3}}, {12, 3});
    EXPECT_EQ(result.config.rules.size(), result.of_layouts);
}

TEST(RangeRules, OneNodeMustHaveBeenMeasured) {
    for (const Rule& rule : decided("eth", {{2, 3}, {4, 1}, {12, 1}, {12, 3}}, {12, 3}).config.rules) {
        EXPECT_GT(rule.where.nodes.first, 1);
    }
}

TEST(RangeRules, AtMostSoManyForACollective) {
    RangeLimits limits;
    limits.most_rules = 6;
    const Decided result = decided("eth", five, {12, 3}, limits);
    std::map<std::string, std::size_t> rules;
    for (const Rule& rule : result.config.rules) {
        ++rules[rule.collective];
    }
    for (const auto& [collective, count] : rules) {
        EXPECT_LE(count, 8u) << collective;  // eight of single layouts, or six in all
    }
}

}  // namespace

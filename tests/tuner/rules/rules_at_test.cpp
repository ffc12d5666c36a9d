// SPDX-License-Identifier: MIT
#include "rules_at.hpp"

#include <gtest/gtest.h>

#include <random>

#include "example_config.hpp"

namespace {

using namespace tuner;

Config rules_only(std::vector<Rule> rules) {
    Config config = example_config();
    config.rules = std::move(rules);
    return config;
}

TEST(RulesAt, ExactRulesAreThemselves) {
    const Config config = example_config();
    std::vector<Rule> all;
    for (const Layout& layout : layouts_of(config, "eth")) {
        const std::vector<Rule> here = rules_at(config, "eth", layout);
        all.insert(all.end(), here.begin(), here.end());
    }
    EXPECT_EQ(checksum_of(all), checksum_of(config.rules));
    EXPECT_TRUE(rules_at(config, "ib", {4, 1}).empty());
    EXPECT_TRUE(rules_at(config, "eth", {8, 1}).empty());
    EXPECT_EQ(rules_at(config, "eth", {4, 1}, "alltoall").size(), 3u);
}

TEST(RulesAt, TheFirstRuleTakesItsSizesOutOfALaterOne) {
    const LayoutRange few = {{2, 8}, {1, 3}};
    const Config config = rules_only({example_rule({4, 2}, "bcast", 1000, 1999, "smp"),
                                      example_rule_for(few, "bcast", 0, no_end, "binomial"),
                                      example_rule_for({}, "bcast", 5, 10, "scatter_ring_allgather")});
    const std::vector<Rule> here = rules_at(config, "eth", {4, 2});
    ASSERT_EQ(here.size(), 3u);
    EXPECT_EQ(size_range(here[0]), "0 to 999 bytes");
    EXPECT_EQ(here[0].algorithm, "binomial");
    EXPECT_EQ(here[0].where, LayoutRange::exactly({4, 2}));
    EXPECT_EQ(size_range(here[1]), "1000 to 1999 bytes");
    EXPECT_EQ(here[1].algorithm, "smp");
    EXPECT_EQ(size_range(here[2]), "from 2000 bytes on");
    EXPECT_EQ(here[2].from_interval.low, 2000) << "where the first one ends is known";
    const std::vector<Rule> elsewhere = rules_at(config, "eth", {16, 2});
    ASSERT_EQ(elsewhere.size(), 1u);
    EXPECT_EQ(elsewhere[0].algorithm, "scatter_ring_allgather");
}

// The same answer as find_rule, for any rules in any order
TEST(RulesAt, AgreesWithFindRule) {
    std::mt19937 random(7);
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const auto count_range = [&] {
        const int first = 1 + pick(6);
        return pick(4) == 0 ? CountRange{}
                            : CountRange{first, pick(4) == 0 ? CountRange::no_last : first + pick(4)};
    };
    for (int run = 0; run < 200; ++run) {
        std::vector<Rule> rules;
        for (int i = 0; i < 12; ++i) {
            const std::size_t from = static_cast<std::size_t>(pick(50));
            const std::size_t to = pick(4) == 0 ? no_end : from + static_cast<std::size_t>(pick(30));
            rules.push_back(example_rule_for({count_range(), count_range()},
                                             pick(2) == 0 ? "bcast" : "allgather", from, to,
                                             "a" + std::to_string(i)));
        }
        const Config config = rules_only(std::move(rules));
        const Layout layout{1 + pick(8), 1 + pick(5)};
        for (const char* collective : {"bcast", "allgather"}) {
            const std::vector<Rule> here = rules_at(config, "eth", layout, collective);
            for (std::size_t bytes = 0; bytes < 100; ++bytes) {
                std::vector<std::string> hits;
                for (const Rule& rule : here) {
                    if (rule.from_bytes <= bytes && bytes <= rule.to_bytes) {
                        hits.push_back(rule.algorithm);
                    }
                }
                const Rule* rule = find_rule(config, "eth", layout, collective, bytes);
                ASSERT_EQ(hits, rule == nullptr ? std::vector<std::string>{}
                                                : std::vector<std::string>{rule->algorithm})
                    << bytes;
            }
            ASSERT_TRUE(std::is_sorted(here.begin(), here.end(), [](const Rule& a, const Rule& b) {
                return a.from_bytes < b.from_bytes;
            }));
        }
    }
}

TEST(RulesAt, NarrowedRulesKeepTheirOrder) {
    const std::vector<Rule> rules = {example_rule({4, 2}, "bcast", 1000, 1999, "smp"),
                                     example_rule_for({{2, 8}, {1, 3}}, "bcast", 0, no_end, "binomial"),
                                     example_rule({4, 1}, "bcast", 0, no_end, "binomial")};
    const std::vector<Rule> narrowed = narrowed_to(rules, {4, 2});
    ASSERT_EQ(narrowed.size(), 2u);
    EXPECT_EQ(narrowed[0].algorithm, "smp");
    EXPECT_EQ(narrowed[1].where, LayoutRange::exactly({4, 2}));
    EXPECT_EQ(narrowed[1].to_bytes, no_end);
}

std::string names_of(const ListedLayouts& listed) {
    std::string names;
    for (const Layout& layout : listed.layouts) {
        names += (names.empty() ? "" : " ") + to_string(layout);
    }
    return names;
}

TEST(LayoutsWithRules, OfExactRulesAreThoseThatTheyName) {
    EXPECT_EQ(names_of(layouts_with_rules(example_config(), "eth", 0)), "4x1 4x2");
    EXPECT_TRUE(layouts_with_rules(example_config(), "eth", 0).is_complete);
}

TEST(LayoutsWithRules, OfRangesAreAllOfThem) {
    const Config config =
        rules_only({example_rule({3, 2}, "bcast", 1, 9, "smp"),
                    example_rule_for({{2, 3}, {1, 2}, {}, Mapping::block}, "bcast", 1, 99, "binomial")});
    EXPECT_EQ(names_of(layouts_with_rules(config, "eth", 99)), "3x2 2x1 2x2 3x1 2x2-1 3x2-1");
    const ListedLayouts some = layouts_with_rules(config, "eth", 2);
    EXPECT_EQ(names_of(some), "3x2 2x1 2x2");
    EXPECT_FALSE(some.is_complete);
}

TEST(LayoutsWithRules, BothMappingsWhereARangeHasBoth) {
    const Config config = rules_only({example_rule_for({{2, 2}, {1, 2}}, "bcast", 1, 99, "binomial")});
    EXPECT_EQ(names_of(layouts_with_rules(config, "eth", 99)),
              "2x1 2x2 2x2 round-robin 2x2-1 2x2-1 round-robin");
}

TEST(LayoutsWithRules, ARangeWithoutAnEndEndsAtWhatIsKnown) {
    Config config =
        rules_only({example_rule_for({{2, CountRange::no_last}, {1, 1}}, "bcast", 1, 99, "binomial")});
    EXPECT_EQ(names_of(layouts_with_rules(config, "eth", 99)), "2x1");
    config.fingerprint["hosts"] = 4;
    EXPECT_EQ(names_of(layouts_with_rules(config, "eth", 99)), "2x1 4x1 3x1");
    config.rules.push_back(example_rule_for({{6, 6}, {1, 1}}, "allgather", 1, 99, "ring"));
    EXPECT_EQ(names_of(layouts_with_rules(config, "eth", 99)), "6x1 2x1 4x1 3x1 5x1");
}

// Whatever the numbers are, and in no time
TEST(LayoutsWithRules, HugeRangesEnd) {
    const int huge = CountRange::no_last - 1;
    for (const LayoutRange& range :
         {LayoutRange{}, LayoutRange{{1, huge}, {1, huge}}, LayoutRange{{huge, huge}, {1, huge}},
          LayoutRange{{1, huge}, {huge, huge}}, LayoutRange{{1, huge}, {1, huge}, {huge, huge}},
          LayoutRange{{1, huge}, {1, 1}, {huge, huge}}}) {
        const Config config = rules_only({example_rule_for(range, "bcast", 1, 99, "binomial")});
        EXPECT_LE(layouts_with_rules(config, "eth", 50).layouts.size(), 50u) << to_string(range);
        for (const Layout& layout : smallest_layouts(range, 20)) {
            EXPECT_TRUE(range.holds(layout)) << to_string(layout);
        }
    }
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "held_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "thresholds.hpp"

namespace {

using namespace tuner;

Rule range_rule(const LayoutRange& where, std::size_t from, std::size_t to) {
    Rule rule;
    rule.network = "eth";
    rule.collective = "bcast";
    rule.algorithm = "smp";
    rule.where = where;
    rule.from_bytes = from;
    rule.to_bytes = to;
    return rule;
}

Config config_of(const std::vector<Rule>& rules) {
    Config config;
    config.rules = rules;
    return config;
}

const LayoutRange block_range = {{2, 8}, {2, 4}, {}, Mapping::block};

TEST(HeldOut, LayoutsAreInTheRangeFarApartAndNotMeasured) {
    const Config config = config_of({range_rule(block_range, 64, 4096)});
    const std::set<Layout> measured = {{2, 2}, {8, 4}, {4, 2}};
    std::map<Layout, int> chosen;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const auto tests = held_out(config, config.rules[0], measured, {{8, 4}, seed});
        ASSERT_EQ(tests.size(), 3u);
        std::set<int> nodes;
        for (const HeldOutLayout& test : tests) {
            EXPECT_TRUE(block_range.holds(test.layout)) << to_string(test.layout);
            EXPECT_FALSE(measured.contains(test.layout)) << to_string(test.layout);
            EXPECT_EQ(test.sizes.size(), 3u);
            nodes.insert(test.layout.nodes);
            ++chosen[test.layout];
        }
        EXPECT_GT(nodes.size(), 1u);
    }
    EXPECT_GT(chosen.size(), 8u) << "by the seed";
}

TEST(HeldOut, LayoutsOfOtherRulesArePreferred) {
    const Config config = config_of({range_rule(block_range, 64, 4096)});
    const auto layouts_of = [&](std::uint64_t seed, const std::set<Layout>& preferred) {
        std::set<Layout> layouts;
        for (const HeldOutLayout& test : held_out(config, config.rules[0], {}, {{8, 4}, seed}, preferred)) {
            layouts.insert(test.layout);
        }
        return layouts;
    };
    const std::set<Layout> first = layouts_of(1, {});
    for (std::uint64_t seed = 2; seed <= 20; ++seed) {
        EXPECT_EQ(layouts_of(seed, first), first);
        std::set<Layout> close = layouts_of(seed, {{2, 2}, {2, 3}, {3, 2}});
        EXPECT_LT(std::count_if(close.begin(), close.end(), [](const Layout& at) { return at.nodes < 4; }), 3)
            << "if they are far apart";
    }
}

TEST(HeldOut, OneMappingOfTwoAndUnevenNodesAreTestedIfTheRuleIsForThem) {
    const Config config = config_of({range_rule({{4, 4}, {2, 3}, {}, {}}, 64, 4096)});
    bool has_round_robin = false;
    bool has_uneven = false;
    for (const HeldOutLayout& test : held_out(config, config.rules[0], {}, {{8, 4}, 1, 4, 2})) {
        has_round_robin = has_round_robin || test.layout.mapping == Mapping::round_robin;
        has_uneven = has_uneven || !test.layout.is_even();
    }
    EXPECT_TRUE(has_round_robin);
    EXPECT_TRUE(has_uneven);
}

TEST(HeldOut, ARuleForNodesThatAreNotFullIsTestedOnSuch) {
    LayoutRange three = {{4, 4}, {3, 3}, {}, Mapping::block, true};
    const Config config = config_of({range_rule(three, 64, 4096)});
    const auto tests = held_out(config, config.rules[0], {}, {{8, 4}, 1, 4, 2});
    EXPECT_TRUE(std::any_of(tests.begin(), tests.end(),
                            [](const HeldOutLayout& test) { return !test.layout.is_even(); }));
}

TEST(HeldOut, OnlyWhatTheClusterHas) {
    const Config config = config_of({range_rule({{2, 100}, {1, 64}, {}, Mapping::block}, 64, 4096)});
    for (const HeldOutLayout& test : held_out(config, config.rules[0], {}, {{5, 2}, 1, 20, 2})) {
        EXPECT_LE(test.layout.nodes, 5);
        EXPECT_LE(test.layout.ppn, 2);
    }
    EXPECT_TRUE(held_out(config, config.rules[0], {}, {{1, 2}, 1}).empty());
}

TEST(HeldOut, SizesAreThoseThatTheRuleDecides) {
    // an earlier rule has the small sizes; from 12289 bytes on the default is ring on 12 ranks
    Rule ring = range_rule(block_range, 1, 1 << 20);
    ring.algorithm = "scatter_ring_allgather";
    const Config config = config_of({range_rule(block_range, 1, 1000), ring});
    const auto tests = held_out(config, config.rules[1], {}, {{8, 4}, 1, 30, 5});
    ASSERT_FALSE(tests.empty());
    for (const HeldOutLayout& test : tests) {
        for (const std::size_t bytes : test.sizes) {
            EXPECT_GT(bytes, 1000u);
            EXPECT_NE(default_choice("bcast", test.layout, bytes), "scatter_ring_allgather")
                << to_string(test.layout) << ' ' << bytes;
        }
    }
}

}  // namespace

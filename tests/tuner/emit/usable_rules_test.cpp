// SPDX-License-Identifier: MIT
#include "usable_rules.hpp"

#include <gtest/gtest.h>

#include "emitted_text.hpp"

namespace {

using namespace tuner;

const Layout four_nodes{4, 1};
const Layout two_per_node{4, 2};

TEST(UsableRules, AreOfOneCollectiveAndLayoutBySize) {
    const Config config = config_with({example_rule(four_nodes, "bcast", 500, 900, "ring"),
                                       example_rule(two_per_node, "bcast", 1, 900, "smp"),
                                       example_rule(four_nodes, "bcast", 1, 499, "binomial"),
                                       example_rule(four_nodes, "bcast", 901, 999, "odd"),
                                       example_rule(four_nodes, "reduce", 1, 900, "binomial")});
    std::vector<std::string> notes;
    const auto not_odd = [](const Rule& rule, const Layout&) {
        return rule.algorithm == "odd" ? std::string("too odd") : std::string();
    };
    const LayoutRules usable = usable_rules(config, "eth", four_nodes, "bcast", not_odd, notes);
    EXPECT_EQ(usable.layout, four_nodes);
    ASSERT_EQ(usable.rules.size(), 2u);
    EXPECT_EQ(usable.rules[0].algorithm, "binomial");
    EXPECT_EQ(usable.rules[1].algorithm, "ring");
    EXPECT_EQ(notes, std::vector<std::string>{"left out: bcast on 4x1, 901 to 999 bytes, odd: too odd"});
    EXPECT_TRUE(usable_rules(config, "ib", four_nodes, "bcast", not_odd, notes).rules.empty());
}

TEST(UsableRules, OfUnknownCollectivesAreNoted) {
    const Config config = config_with({example_rule(four_nodes, "bcast", 1, 900, "ring"),
                                       example_rule(four_nodes, "gossip", 1, 9, "whisper")});
    std::vector<std::string> notes;
    note_unknown_collectives(config, "ib", {}, {"bcast"}, notes);
    EXPECT_TRUE(notes.empty()) << "another network";
    note_unknown_collectives(config, "eth", two_per_node, {"bcast"}, notes);
    EXPECT_TRUE(notes.empty()) << "another layout";
    note_unknown_collectives(config, "eth", {}, {"bcast"}, notes);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_TRUE(contains(notes[0], "left out: gossip on 4x1, 1 to 9 bytes, whisper: a file cannot choose"));
}

}  // namespace

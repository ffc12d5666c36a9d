// SPDX-License-Identifier: MIT
#include "layout_range.hpp"

#include <gtest/gtest.h>

#include "error.hpp"

namespace {

using namespace tuner;

Layout uneven(int nodes, int ppn, int missing, Mapping mapping = Mapping::block) {
    return {nodes, ppn, mapping, missing};
}

std::string json_of(const LayoutRange& range) {
    Json json = Json::object();
    add_layout_range(json, range);
    return json.dump();
}

LayoutRange range_from(const std::string& text) {
    return layout_range_from(CheckedJson::parse(text, "rules.json"));
}

const LayoutRange few_nodes = {{2, 8}, {1, 3}};

TEST(LayoutRange, ExactlyOneLayout) {
    for (const Layout& layout : {Layout{4, 2}, Layout{1, 8}, Layout{8, 1}, Layout{4, 2, Mapping::round_robin},
                                 uneven(4, 2, 1), uneven(5, 4, 3), uneven(3, 2, 1, Mapping::round_robin)}) {
        const LayoutRange range = LayoutRange::exactly(layout);
        EXPECT_TRUE(range.holds(layout)) << to_string(layout);
        EXPECT_EQ(range.single(), layout) << to_string(layout);
        EXPECT_EQ(to_string(range), to_string(layout));
        for (const Layout& other :
             {Layout{4, 3}, Layout{3, 2}, uneven(5, 2, 1), uneven(4, 3, 1), Layout{2, 2}}) {
            EXPECT_FALSE(range.holds(other)) << to_string(layout) << " is not " << to_string(other);
        }
    }
}

TEST(LayoutRange, AnUnevenLayoutIsNotTheEvenOne) {
    EXPECT_FALSE(LayoutRange::exactly({4, 2}).holds(uneven(4, 2, 1)));
    EXPECT_FALSE(LayoutRange::exactly(uneven(4, 2, 1)).holds({4, 2}));
}

// One node, and one rank on each, are both mappings
TEST(LayoutRange, TheMappingCountsWhereItCanBeSeen) {
    const LayoutRange block = {{1, 8}, {1, 3}, {}, Mapping::block};
    const LayoutRange in_turn = {{1, 8}, {1, 3}, {}, Mapping::round_robin};
    for (const Mapping mapping : {Mapping::block, Mapping::round_robin}) {
        EXPECT_TRUE(block.holds({4, 1, mapping}) && in_turn.holds({4, 1, mapping}));
        EXPECT_TRUE(block.holds({1, 3, mapping}) && in_turn.holds({1, 3, mapping}));
        EXPECT_EQ(block.holds({4, 2, mapping}), mapping == Mapping::block);
        EXPECT_EQ(in_turn.holds({4, 2, mapping}), mapping == Mapping::round_robin);
        EXPECT_TRUE(few_nodes.holds({4, 2, mapping}));
    }
}

// The library wants rank i on node i modulo nodes: 0 1 2 0 1 2 0 1 is, 0 1 2 0 1 0 1 is not
TEST(LayoutRange, RoundRobinLacksAtMostOneRank) {
    const LayoutRange in_turn = {{1, 8}, {1, 3}, {}, Mapping::round_robin};
    EXPECT_TRUE(in_turn.holds(uneven(3, 3, 1, Mapping::round_robin)));
    EXPECT_FALSE(in_turn.holds(uneven(3, 3, 2, Mapping::round_robin)));
    EXPECT_TRUE(few_nodes.holds(uneven(3, 3, 2, Mapping::round_robin)));
}

TEST(LayoutRange, TheFewestAndTheMostRanksOfANodeAreInTheRange) {
    const LayoutRange from_two = {{1, 8}, {2, 3}};
    EXPECT_TRUE(from_two.holds({4, 2}) && from_two.holds({4, 3}));
    EXPECT_TRUE(from_two.holds(uneven(4, 3, 1)));
    EXPECT_FALSE(from_two.holds(uneven(4, 3, 2))) << "one node has one rank";
    EXPECT_FALSE(from_two.holds(uneven(4, 2, 1)));
    EXPECT_FALSE(from_two.holds({4, 4}));
    EXPECT_FALSE(from_two.holds({9, 2}));
}

// 4 + 4 + 2 ranks are a job for nodes of 4
TEST(LayoutRange, UnevenIsAlsoWhereTheLastNodeIsNotFull) {
    LayoutRange three = {{2, 8}, {3, 3}};
    EXPECT_FALSE(three.holds(uneven(4, 3, 1)));
    EXPECT_FALSE(three.single());
    three.uneven = true;
    EXPECT_TRUE(three.holds({4, 3}) && three.holds(uneven(4, 3, 1)) && three.holds(uneven(4, 3, 2)));
    EXPECT_FALSE(three.holds({4, 2}) || three.holds(uneven(4, 4, 1)) || three.holds(uneven(9, 3, 1)));
    EXPECT_EQ(to_string(three), "2 to 8 nodes x 3 or fewer on the last node");
    EXPECT_EQ(json_of(three), R"({"nodes":[2,8],"ppn":3,"mapping":"any","uneven":true})");
    EXPECT_EQ(range_from(json_of(three)), three);
    three.nodes = {4, 4};
    three.mapping = Mapping::block;
    EXPECT_FALSE(three.single()) << "three layouts";
    EXPECT_EQ(range_from(json_of(three)), three);
}

TEST(LayoutRange, OneRankOnEachNodeCannotBeUneven) {
    EXPECT_EQ((LayoutRange{{4, 4}, {1, 1}, {}, {}, true}.single()), (Layout{4, 1}));
    EXPECT_EQ((LayoutRange{{1, 1}, {3, 3}, {}, {}, true}.single()), (Layout{1, 3}));
    EXPECT_EQ(to_string(LayoutRange{{2, 4}, {1, 1}, {}, {}, true}), "2 to 4 nodes x 1");
}

TEST(LayoutRange, UnevenRangesContainAndMeetOthers) {
    const LayoutRange full = {{4, 4}, {3, 3}};
    const LayoutRange last_fewer = {{4, 4}, {3, 3}, {}, {}, true};
    const LayoutRange up_to_three = {{4, 4}, {1, 3}};
    EXPECT_TRUE(last_fewer.contains(full));
    EXPECT_FALSE(full.contains(last_fewer));
    EXPECT_TRUE(up_to_three.contains(last_fewer));
    EXPECT_FALSE((LayoutRange{{4, 4}, {2, 3}}.contains(last_fewer))) << "4x3-2 has a node of one";
    EXPECT_TRUE(last_fewer.intersects(full) && last_fewer.intersects(up_to_three));
    EXPECT_FALSE((last_fewer.intersects({{4, 4}, {1, 2}})));
    const LayoutRange of_ten_ranks = {{4, 4}, {}, {10, 10}};
    EXPECT_TRUE(last_fewer.intersects(of_ten_ranks)) << "3 + 3 + 3 + 1";
    EXPECT_FALSE((last_fewer.intersects({{4, 4}, {}, {9, 9}})));
    EXPECT_FALSE(full.intersects(of_ten_ranks));
}

TEST(LayoutRange, NumbersOfRanks) {
    const LayoutRange range = {{}, {}, {3, 8}};
    EXPECT_FALSE(range.holds({2, 1}));
    EXPECT_TRUE(range.holds({1, 3}) && range.holds({8, 1}) && range.holds({4, 2}));
    EXPECT_FALSE(range.holds({3, 3}));
    EXPECT_TRUE(range.holds(uneven(3, 3, 1)));
}

TEST(LayoutRange, SeveralLayoutsAreNotSingle) {
    for (const LayoutRange& range :
         {LayoutRange{}, few_nodes, LayoutRange{{4, 4}, {1, 2}}, LayoutRange{{4, 5}, {2, 2}},
          LayoutRange{{4, 4}, {2, 2}}, LayoutRange{{4, 4}, {1, 2}, {6, 7}},
          LayoutRange{{4, 4}, {2, 2}, {1, 7}}}) {
        EXPECT_FALSE(range.single()) << json_of(range);
    }
    EXPECT_EQ((LayoutRange{{4, 4}, {1, 1}}.single()), (Layout{4, 1})) << "any mapping";
}

TEST(LayoutRange, AsText) {
    EXPECT_EQ(to_string(few_nodes), "2 to 8 nodes x 1 to 3");
    EXPECT_EQ(to_string(LayoutRange{{1, 1}, {2, 8}}), "1 node x 2 to 8");
    EXPECT_EQ(to_string(LayoutRange{{2, CountRange::no_last}, {4, 4}}), "2 or more nodes x 4");
    EXPECT_EQ(to_string(LayoutRange{{}, {}, {3, 64}}), "any nodes x any, 3 to 64 ranks");
    EXPECT_EQ(to_string(LayoutRange{{4, 4}, {2, 2}, {}, {}}), "4 nodes x 2");
    EXPECT_EQ(to_string(LayoutRange{{2, 8}, {2, 2}, {}, Mapping::block}), "2 to 8 nodes x 2, block");
}

// Files of versions without ranges stay as they are
TEST(LayoutRange, OneLayoutIsWrittenAsALayout) {
    for (const Layout& layout : {Layout{4, 2}, Layout{4, 1, Mapping::round_robin}, uneven(4, 2, 1)}) {
        Json json = Json::object();
        add_layout(json, layout);
        EXPECT_EQ(json_of(LayoutRange::exactly(layout)), json.dump());
        EXPECT_EQ(range_from(json.dump()), LayoutRange::exactly(layout));
    }
    EXPECT_EQ(json_of(LayoutRange::exactly({4, 2})), R"({"nodes":4,"ppn":2,"mapping":"block"})");
}

TEST(LayoutRange, ThroughJsonAndBack) {
    for (const LayoutRange& range :
         {few_nodes, LayoutRange{}, LayoutRange{{4, 4}, {1, 2}, {6, 7}}, LayoutRange{{4, 4}, {2, 2}},
          LayoutRange{{2, CountRange::no_last}, {4, 4}, {8, 64}, Mapping::round_robin}}) {
        EXPECT_EQ(range_from(json_of(range)), range) << json_of(range);
    }
    EXPECT_EQ(json_of(few_nodes), R"({"nodes":[2,8],"ppn":[1,3],"mapping":"any"})");
    EXPECT_EQ(json_of({{2, CountRange::no_last}, {4, 4}, {}, Mapping::block}),
              R"({"nodes":[2,null],"ppn":4,"mapping":"block"})");
}

TEST(LayoutRange, BadJsonNamesThePlaceAndTheRemedy) {
    for (const char* nodes : {"[8, 2]", "[0, 2]", "[2]", "[1, 2, 3]", "\"4\"", "[1.5, 2]", "0", "null",
                              "[2, 99999999999]", "[null, 3]", "{}"}) {
        try {
            range_from(fmt::format(R"({{"nodes": {}, "ppn": [1, 2], "mapping": "any"}})", nodes));
            ADD_FAILURE() << nodes;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("rules.json"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("nodes"), std::string::npos) << error.what();
        }
    }
    EXPECT_THROW(range_from(R"({"nodes": [1, 2], "ppn": 2, "mapping": "all"})"), Error);
    EXPECT_THROW(range_from(R"({"nodes": [1, 2], "ppn": 2, "mapping": "any", "ranks": [5, 9]})"), Error);
    EXPECT_THROW(range_from(R"({"nodes": [99999, 99999], "ppn": [99999, 99999], "mapping": "block"})"),
                 Error);
    EXPECT_THROW(range_from(R"({"nodes": [1, 2], "ppn": 2})"), Error);
}

// Against a count of all small layouts
TEST(LayoutRange, ContainsAndIntersects) {
    std::vector<Layout> layouts;
    for (int nodes = 1; nodes <= 5; ++nodes) {
        for (int ppn = 1; ppn <= 4; ++ppn) {
            for (int missing = 0; missing < (nodes == 1 ? 1 : ppn); ++missing) {
                for (const Mapping mapping : {Mapping::block, Mapping::round_robin}) {
                    layouts.push_back(uneven(nodes, ppn, missing, mapping));
                }
            }
        }
    }
    std::vector<LayoutRange> ranges = {{{1, 5}, {1, 4}}};
    for (const CountRange& nodes : {CountRange{1, 1}, CountRange{2, 4}, CountRange{3, 5}}) {
        for (const CountRange& ppn : {CountRange{1, 1}, CountRange{1, 3}, CountRange{3, 4}}) {
            for (const CountRange& ranks : {CountRange{}, CountRange{4, 9}}) {
                ranges.push_back({nodes, ppn, ranks, {}});
                ranges.push_back({nodes, ppn, ranks, Mapping::block});
            }
        }
    }
    for (const LayoutRange& a : ranges) {
        for (const LayoutRange& b : ranges) {
            bool is_inside = true;
            bool has_common = false;
            for (const Layout& layout : layouts) {
                is_inside &= !b.holds(layout) || a.holds(layout);
                has_common |= a.holds(layout) && b.holds(layout);
            }
            // what is said must be true; that it is not said may be caution
            EXPECT_TRUE(is_inside || !a.contains(b)) << to_string(a) << "; " << to_string(b);
            EXPECT_TRUE(!has_common || a.intersects(b)) << to_string(a) << "; " << to_string(b);
        }
        EXPECT_TRUE(a.contains(a) && ranges.front().contains(a)) << to_string(a);
    }
    EXPECT_FALSE((LayoutRange{{1, 2}, {1, 4}}).intersects({{3, 4}, {1, 4}}));
    EXPECT_FALSE((LayoutRange{{2, 2}, {2, 2}, {}, Mapping::block})
                     .intersects({{2, 2}, {2, 2}, {}, Mapping::round_robin}));
    EXPECT_FALSE(LayoutRange::exactly({4, 2}).intersects(LayoutRange::exactly(uneven(4, 2, 1))));
}

}  // namespace

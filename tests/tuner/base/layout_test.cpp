// SPDX-License-Identifier: MIT
#include "layout.hpp"

#include <gtest/gtest.h>

#include "error.hpp"

namespace {

using namespace tuner;

TEST(LayoutText, GoesThereAndBack) {
    for (const Layout& layout : {Layout{4, 2, Mapping::block}, Layout{64, 128, Mapping::round_robin},
                                 Layout{4, 2, Mapping::block, 1}, Layout{4, 3, Mapping::round_robin, 2}}) {
        EXPECT_EQ(parse_layout(to_string(layout)), layout) << to_string(layout);
    }
    EXPECT_EQ(to_string(Layout{4, 2, Mapping::round_robin}), "4x2 round-robin");
    EXPECT_EQ(parse_layout("4x2:round-robin"), (Layout{4, 2, Mapping::round_robin})) << "as documented";
    EXPECT_EQ(parse_layout("4x2:block"), (Layout{4, 2, Mapping::block}));
}

TEST(LayoutText, SaysHowManyRanksTheLastNodeLacks) {
    EXPECT_EQ(to_string(Layout{4, 2, Mapping::block, 1}), "4x2-1");
    EXPECT_EQ(to_string(Layout{4, 3, Mapping::round_robin, 2}), "4x3-2 round-robin");
    EXPECT_EQ(parse_layout("4x2-1"), (Layout{4, 2, Mapping::block, 1}));
    EXPECT_EQ(parse_layout("4x2-1:round-robin"), (Layout{4, 2, Mapping::round_robin, 1}));
    EXPECT_EQ(parse_layout("4x2-1 round-robin"), (Layout{4, 2, Mapping::round_robin, 1}));
    EXPECT_EQ(parse_layout("1x4-1"), (Layout{1, 3, Mapping::block})) << "one node is even";
}

TEST(LayoutText, RefusesWhatIsNoLayout) {
    for (const char* text : {"",
                             "4",
                             "4x",
                             "x2",
                             "0x2",
                             "4x0",
                             "-4x2",
                             "4x2x",
                             "4x2:",
                             "4x2:cyclic",
                             "4x2round-robin",
                             "2147483647x2",
                             "99999999999x1",
                             "4x2-",
                             "4x2-0",
                             "4x2--1",
                             "4x2-2",
                             "4x1-1",
                             "4x2-1x",
                             "4x2-1:",
                             "4x2:block-1"}) {
        EXPECT_THROW(parse_layout(text), Error) << text;
    }
}

TEST(LayoutJson, GoesThereAndBack) {
    const Layout layout = {3, 5, Mapping::round_robin};
    Json object = {{"network", "eth"}};
    add_layout(object, layout);
    EXPECT_EQ(object.dump(), R"({"network":"eth","nodes":3,"ppn":5,"mapping":"round-robin"})");
    EXPECT_EQ(layout_from(object), layout);
    EXPECT_EQ(layout_from(CheckedJson(object, "f.json")), layout);
}

TEST(LayoutJson, HasRanksOnlyIfTheLastNodeHasFewer) {
    const Layout layout = {4, 3, Mapping::block, 2};
    Json object = {{"network", "eth"}};
    add_layout(object, layout);
    EXPECT_EQ(object.dump(), R"({"network":"eth","nodes":4,"ppn":3,"mapping":"block","ranks":10})");
    EXPECT_EQ(layout_from(object), layout);
    EXPECT_EQ(layout_from(CheckedJson(object, "f.json")), layout);
    object["ranks"] = 12;
    EXPECT_EQ(layout_from(object), (Layout{4, 3})) << "all of them";
    const Json one_node = {{"nodes", 1}, {"ppn", 4}, {"mapping", "block"}, {"ranks", 3}};
    EXPECT_EQ(layout_from(one_node), (Layout{1, 3}));
    EXPECT_EQ(layout_from(CheckedJson(one_node, "f.json")), (Layout{1, 3}));
}

TEST(LayoutJson, NamesRanksThatDoNotFitTheNodes) {
    for (const int ranks : {6, 9, 0}) {  // of 7 and 8
        const Json object = {{"nodes", 4}, {"ppn", 2}, {"mapping", "block"}, {"ranks", ranks}};
        EXPECT_THROW(layout_from(object), std::invalid_argument) << ranks;
        try {
            layout_from(CheckedJson(object, "f.json"));
            ADD_FAILURE() << ranks;
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_EQ(std::string(error.what()).find("f.json, ranks: "), 0u) << error.what();
            EXPECT_TRUE(ranks == 0 || std::string(error.what()).find("write 7 to 8") != std::string::npos)
                << error.what();
        }
    }
}

TEST(LayoutJson, OfPeopleIsBlockByDefaultAndBounded) {
    EXPECT_EQ(layout_from(CheckedJson::parse(R"({"nodes": 4, "ppn": 2})", "f.json")), (Layout{4, 2}));
    EXPECT_THROW(layout_from(CheckedJson::parse(R"({"nodes": 65536, "ppn": 65536})", "f.json")), Error)
        << "more ranks than an int has";
}

TEST(LayoutJson, OfAJournalIsChecked) {
    const char* damages[] = {R"({"nodes": 0, "ppn": 1, "mapping": "block"})",
                             R"({"nodes": 1, "ppn": -1, "mapping": "block"})",
                             R"({"nodes": 65536, "ppn": 65536, "mapping": "block"})",
                             R"({"nodes": 4294967297, "ppn": 1, "mapping": "block"})",
                             R"({"nodes": 2, "ppn": 1, "mapping": "blok"})",
                             R"({"nodes": 2, "ppn": 1})",
                             R"({"nodes": 2, "ppn": 2, "mapping": "block", "ranks": 2})",
                             R"({"nodes": 2, "ppn": 2, "mapping": "block", "ranks": 5})",
                             R"({"nodes": 2, "ppn": 2, "mapping": "block", "ranks": -3})",
                             R"({"nodes": 2, "ppn": 2, "mapping": "block", "ranks": 18446744073709551615})",
                             R"({"nodes": 2, "ppn": 2, "mapping": "block", "ranks": "3"})"};
    for (const char* damage : damages) {
        EXPECT_THROW(layout_from(Json::parse(damage)), std::exception) << damage;
    }
}

TEST(PlacementOf, FollowsTheMapping) {
    EXPECT_EQ(placement_of({2, 2, Mapping::block}).node_of_rank, (std::vector<int>{0, 0, 1, 1}));
    EXPECT_EQ(placement_of({2, 2, Mapping::round_robin}).node_of_rank, (std::vector<int>{0, 1, 0, 1}));
}

TEST(LayoutOf, IsTheOneWithThatPlacement) {
    for (const Layout& layout :
         {Layout{1, 3}, Layout{4, 2}, Layout{4, 2, Mapping::round_robin}, Layout{4, 3, Mapping::block, 2},
          Layout{4, 3, Mapping::round_robin, 2}, Layout{2, 3, Mapping::block, 1}}) {
        EXPECT_EQ(layout_of(placement_of(layout)), layout) << to_string(layout);
    }
    const std::vector<int> others[] = {{0, 1, 1}, {0, 0, 1, 2, 2}, {0, 1, 1, 0}, {0, 0, 1, 0}};
    for (const std::vector<int>& nodes : others) {
        EXPECT_EQ(layout_of(models::RankPlacement(nodes)), std::nullopt);
    }
}

TEST(PlacementOf, LeavesTheLastNodeOutOfTheLastRounds) {
    EXPECT_EQ(placement_of({4, 2, Mapping::block, 1}).node_of_rank, (std::vector<int>{0, 0, 1, 1, 2, 2, 3}));
    EXPECT_EQ(placement_of({4, 2, Mapping::round_robin, 1}).node_of_rank,
              (std::vector<int>{0, 1, 2, 3, 0, 1, 2}));
    EXPECT_EQ(placement_of({3, 3, Mapping::round_robin, 2}).node_of_rank,
              (std::vector<int>{0, 1, 2, 0, 1, 0, 1}));
    for (const Mapping mapping : {Mapping::block, Mapping::round_robin}) {
        const Layout layout = {3, 4, mapping, 3};
        const models::RankPlacement placement = placement_of(layout);
        EXPECT_EQ(placement.nodes, 3);
        EXPECT_EQ(placement.ranks(), layout.ranks());
        EXPECT_EQ(placement.ranks_on_nodes(), (std::vector<int>{4, 4, 1}));
        EXPECT_EQ(placement.ranks_on_nodes(),
                  (std::vector<int>{layout.ranks_on(0), layout.ranks_on(1), layout.ranks_on(2)}));
    }
}

}  // namespace

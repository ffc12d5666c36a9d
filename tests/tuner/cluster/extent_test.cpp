// SPDX-License-Identifier: MIT
#include "extent.hpp"

#include <gtest/gtest.h>

#include "cluster_texts.hpp"
#include "contains.hpp"
#include "error.hpp"

namespace {

using namespace tuner;
using cluster_texts::cluster_of;

using Layouts = std::vector<Layout>;

TEST(Extent, IsWhatAllHostsMayHave) {
    const Cluster cluster =
        cluster_of(R"({"hosts": [{"name": "n[1-3]", "slots": 4}, {"name": "m", "slots": 2}]})");
    const Extent extent = extent_of(cluster);
    EXPECT_EQ(extent.nodes, 4);
    EXPECT_EQ(extent.ppn, 2);
    EXPECT_TRUE(extent.holds({4, 2}));
    EXPECT_FALSE(extent.holds({5, 1}));
    EXPECT_FALSE(extent.holds({1, 3}));
    EXPECT_EQ(extent_of(Cluster{}).nodes, 1) << "without hosts";
}

TEST(Extent, FakedNodesShareOneMachine) {
    const std::string faked =
        R"({"launcher": {"kind": "hydra-fork"}, "hosts": [{"name": "n[1-3]", "slots": 4}])";
    const Extent extent = extent_of(cluster_of(faked + "}"));
    EXPECT_TRUE(extent.holds({1, 4}));
    EXPECT_FALSE(extent.holds({3, 2}));
    EXPECT_TRUE(extent_of(cluster_of(faked + R"(, "layouts": [{"nodes": 3, "ppn": 2}]})")).holds({3, 2}))
        << "its user has asked for that many";
}

TEST(Corners, AreOneNodeOneRankOnEachAndAll) {
    EXPECT_EQ(corner_layouts({12, 3}), (Layouts{{1, 3}, {12, 1}, {12, 3}}));
    EXPECT_EQ(corner_layouts({12, 1}), (Layouts{{12, 1}}));
    EXPECT_EQ(corner_layouts({1, 16}), (Layouts{{1, 16}, {1, 2}, {1, 6}})) << "one node: ends and middle";
    EXPECT_EQ(corner_layouts({1, 2}), (Layouts{{1, 2}}));
    EXPECT_EQ(corner_layouts({4, 16, 16}), (Layouts{{1, 16}, {4, 1}, {4, 4}}));
    EXPECT_EQ(corner_layouts({4, 2, 2}), (Layouts{{1, 2}})) << "faked, and two ranks in all";
    EXPECT_TRUE(corner_layouts({1, 1}).empty());
}

TEST(Corners, AllLayoutsHaveTwoRanksAndFit) {
    EXPECT_EQ(all_layouts({2, 3, 4}), (Layouts{{1, 2}, {1, 3}, {2, 1}, {2, 2}}));
}

TEST(ChosenLayouts, AreThoseOfAFileThatNamesNone) {
    const std::string hosts = R"({"hosts": [{"name": "n[1-3]", "slots": 2}])";
    for (const std::string& text : {hosts + "}", hosts + R"(, "layouts": "auto"})"}) {
        const Cluster cluster = cluster_of(text);
        EXPECT_TRUE(cluster.chooses_layouts);
        EXPECT_EQ(cluster.layouts, (Layouts{{1, 2}, {3, 1}, {3, 2}}));
        EXPECT_EQ(to_json(cluster).at("layouts"), "auto");
        EXPECT_EQ(cluster_from(CheckedJson(to_json(cluster), "again")), cluster);
    }
    EXPECT_FALSE(cluster_of(cluster_texts::good).chooses_layouts);
    try {
        cluster_of(hosts + R"(, "layouts": "auot"})");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(), "c.json, layouts");
        EXPECT_CONTAINS(error.what(), "auto");
    }
    try {
        cluster_of(R"({"hosts": ["alone"]})");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(), "one host with one slot");
        EXPECT_CONTAINS(error.what(), "raise \"slots\"");
    }
}

}  // namespace

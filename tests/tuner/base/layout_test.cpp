// SPDX-License-Identifier: MIT
#include "layout.hpp"

#include <gtest/gtest.h>

#include "error.hpp"

namespace {

using namespace tuner;

TEST(LayoutText, GoesThereAndBack) {
    for (const Layout& layout : {Layout{4, 2, Mapping::block}, Layout{64, 128, Mapping::round_robin}}) {
        EXPECT_EQ(parse_layout(to_string(layout)), layout) << to_string(layout);
    }
    EXPECT_EQ(to_string(Layout{4, 2, Mapping::round_robin}), "4x2 round-robin");
    EXPECT_EQ(parse_layout("4x2:round-robin"), (Layout{4, 2, Mapping::round_robin})) << "as documented";
    EXPECT_EQ(parse_layout("4x2:block"), (Layout{4, 2, Mapping::block}));
}

TEST(LayoutText, RefusesWhatIsNoLayout) {
    for (const char* text : {"", "4", "4x", "x2", "0x2", "4x0", "-4x2", "4x2x", "4x2:", "4x2:cyclic",
                             "4x2round-robin", "2147483647x2", "99999999999x1"}) {
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
                             R"({"nodes": 2, "ppn": 1})"};
    for (const char* damage : damages) {
        EXPECT_THROW(layout_from(Json::parse(damage)), std::exception) << damage;
    }
}

TEST(PlacementOf, FollowsTheMapping) {
    EXPECT_EQ(placement_of({2, 2, Mapping::block}).node_of_rank, (std::vector<int>{0, 0, 1, 1}));
    EXPECT_EQ(placement_of({2, 2, Mapping::round_robin}).node_of_rank, (std::vector<int>{0, 1, 0, 1}));
}

}  // namespace

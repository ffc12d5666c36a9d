// SPDX-License-Identifier: MIT
#include "topology.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

std::string parameters_of(int nodes, const std::string& kind) {
    Topology topology;
    topology.nodes = nodes;
    topology.kind = kind;
    const std::string xml = platform_xml(topology, {});
    const std::string key = "topo_parameters=\"";
    const std::size_t at = xml.find(key);
    return at == std::string::npos
               ? ""
               : xml.substr(at + key.size(), xml.find('"', at + key.size()) - at - key.size());
}

std::string error_of(int nodes, const std::string& kind) {
    try {
        parameters_of(nodes, kind);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Topology, HasTheNodesThatAreAskedFor) {
    EXPECT_EQ(parameters_of(64, "star"), "");
    EXPECT_EQ(parameters_of(512, "fat-tree"), "2;32,16;1,32;1,1");
    EXPECT_EQ(parameters_of(512, "fat-tree:2to1"), "2;32,16;1,16;1,1");
    EXPECT_EQ(parameters_of(60, "fat-tree:3to1"), "2;30,2;1,10;1,1");
    EXPECT_EQ(parameters_of(512, "torus"), "8,8,8");
    EXPECT_EQ(parameters_of(12, "torus"), "3,2,2");
    EXPECT_EQ(parameters_of(512, "dragonfly"), "4,1;4,1;8,1;4") << "no more groups than routers";
}

TEST(Topology, ErrorsSayWhatWouldBeRight) {
    EXPECT_TRUE(contains(error_of(13, "fat-tree"), "13 nodes do not fill the leaf switches of fat-tree"));
    EXPECT_TRUE(contains(error_of(7, "dragonfly"), "take for example 16"));
    EXPECT_TRUE(contains(error_of(8, "fattree"), "there is no topology 'fattree'; did you mean 'fat-tree'"));
    EXPECT_TRUE(contains(error_of(8, "torus:2to1"), "there is no topology 'torus:2to1'"));
    EXPECT_TRUE(contains(error_of(8, "fat-tree:1to2"), "write fat-tree, or fat-tree:2to1"));
    EXPECT_TRUE(contains(error_of(1, "star"), "at least 2 nodes"));
}

TEST(Topology, SeveralInterfacesAreALinkThatNoMessageFills) {
    Topology topology;
    topology.interfaces = 2;
    const std::string xml = platform_xml(topology, {});
    EXPECT_TRUE(contains(xml, "bw=\"25000000000Bps\""));
    EXPECT_TRUE(contains(xml, "<prop id=\"changeover.message.bandwidth\" value=\"12500000000\"/>"));
}

TEST(Topology, TextIsEscaped) {
    SimulatedMachine machine;
    machine.slow_host = "a\"<&";
    EXPECT_TRUE(contains(platform_xml({}, machine), "value=\"a&quot;&lt;&amp;\""));
}

TEST(Bandwidth, HasAUnit) {
    EXPECT_EQ(parse_bandwidth("100gbit"), 12.5e9);
    EXPECT_EQ(parse_bandwidth("100mbit"), 12.5e6);
    EXPECT_EQ(parse_bandwidth("12.5GB"), 12.5e9);
    for (const char* text : {"100", "gbit", "-1gbit", "0gbit", "1 gbit", "1gib", "infgbit"}) {
        EXPECT_THROW(parse_bandwidth(text), Error) << text;
    }
}

}  // namespace

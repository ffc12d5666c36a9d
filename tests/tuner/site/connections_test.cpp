// SPDX-License-Identifier: MIT
// Which node cannot talk to others; with real jobs on faked nodes. (Real networks: ../../lab/doctor_test.sh.)
#include "connections.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"

namespace {

using namespace tuner;

using Names = std::vector<std::string>;

std::vector<Names> broken_nodes(const Names& reasons) {
    Names hosts;
    for (std::size_t i = 1; i <= reasons.size(); ++i) {
        hosts.push_back("n" + std::to_string(i));
    }
    std::vector<Names> nodes;
    for (const BrokenConnection& row : broken_in_ring("eth", hosts, reasons)) {
        EXPECT_EQ(row.network, "eth");
        EXPECT_FALSE(row.reason.empty());
        nodes.push_back(row.nodes);
    }
    return nodes;
}

TEST(BrokenInRing, ANodeWithoutAnyConnectionIsNamed) {
    EXPECT_TRUE(broken_nodes({"", "", "", ""}).empty());
    EXPECT_EQ(broken_nodes({"x", "x", "", ""}), (std::vector<Names>{{"n2"}}));
    EXPECT_EQ(broken_nodes({"x", "", "", "x"}), (std::vector<Names>{{"n1"}}));
    EXPECT_EQ(broken_nodes({"x", "x", "x", "", ""}), (std::vector<Names>{{"n2"}, {"n3"}}));
}

TEST(BrokenInRing, ElseTheTwoThatCannotTalk) {
    EXPECT_EQ(broken_nodes({"", "", "", "x"}), (std::vector<Names>{{"n4", "n1"}}));
    EXPECT_EQ(broken_nodes({"x", "", "x", ""}), (std::vector<Names>{{"n1", "n2"}, {"n3", "n4"}}));
}

TEST(BrokenConnections, AreTriedByJobs) {
    Cluster cluster = this_machine({0, 3});
    cluster.benchmark = BENCHMARK;
    cluster.changeover = CHANGEOVER;
    EXPECT_TRUE(broken_connections(cluster, cluster.networks.front()).empty());
    cluster.benchmark = "/no/such/bench";
    const auto broken = broken_connections(cluster, cluster.networks.front());
    ASSERT_EQ(broken.size(), 3u);
    EXPECT_CONTAINS(broken[0].reason, "/no/such/bench");
    cluster.hosts.resize(1);
    const auto one = broken_connections(cluster, cluster.networks.front());
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one[0].nodes, Names{"node1"});
}

}  // namespace

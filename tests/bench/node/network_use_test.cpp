// SPDX-License-Identifier: MIT
// The kernel's table of sockets, and the connections of a job between nodes among them.
#include "network_use.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <bit>

namespace {

using namespace bench;

constexpr const char* title =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

Placement placement_of(const std::vector<std::string>& node_of_rank) {
    Placement placement = {node_of_rank, {}, {}, 1, 0, 1, ""};
    for (const std::string& node : node_of_rank) {
        if (placement.nodes.empty() || placement.nodes.back() != node) {
            placement.nodes.push_back(node);
        }
    }
    return placement;
}

TEST(ParseConnections, OwnAndEstablishedOnesOnly) {
    if (std::endian::native != std::endian::little) {
        GTEST_SKIP() << "the kernel's table is in the byte order of the machine";
    }
    const std::string text =
        std::string(title) +
        "   0: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0\n"
        "   1: 0201A8C0:8AE6 0301A8C0:1F90 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0\n"
        "   2: 0201A8C0:8AE7 0301A8C0:1F90 01 00000000:00000000 00:00000000 00000000     0        0 13 1 0\n"
        "   3: broken\n";
    const std::vector<Connection> found = parse_connections(text, {11, 12});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].local, (Endpoint{"192.168.1.2", 0x8AE6}));
    EXPECT_EQ(found[0].remote, (Endpoint{"192.168.1.3", 8080}));
    EXPECT_TRUE(parse_connections("", {11}).empty());
}

TEST(ParseConnections, KnowAddressesOfVersion6) {
    if (std::endian::native != std::endian::little) {
        GTEST_SKIP() << "the kernel's table is in the byte order of the machine";
    }
    const std::string text =
        std::string(title) +
        "   0: 000080FE000000000000000002000000:0001 0000000000000000FFFF00000301A8C0:0002 01 "
        "00000000:00000000 00:00000000 00000000     0        0 7 1 0\n";
    const std::vector<Connection> found = parse_connections(text, {7});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].local, (Endpoint{"fe80::2", 1}));
    EXPECT_EQ(found[0].remote, (Endpoint{"192.168.1.3", 2})) << "a version 4 address in a version 6 socket";
}

TEST(BetweenNodes, OnlyConnectionsWithBothEndsInTheJob) {
    const auto connection = [](const char* from, int from_port, const char* to, int to_port) {
        return Connection{{from, from_port}, {to, to_port}, "", false};
    };
    const std::vector<std::vector<Connection>> of_ranks = {
        {connection("10.0.0.1", 100, "10.0.0.2", 200),  // rank 0 to rank 2, on the other node
         connection("10.0.0.1", 101, "10.0.0.1", 300),  // rank 0 to rank 1, on its node
         connection("10.0.0.1", 102, "10.9.9.9", 22)},  // to somebody else, such as the launcher
        {connection("10.0.0.1", 300, "10.0.0.1", 101)},
        {connection("10.0.0.2", 200, "10.0.0.1", 100)},
    };
    const auto of_nodes = between_nodes(of_ranks, placement_of({"a", "a", "b"}));
    ASSERT_EQ(of_nodes.size(), 2U);
    ASSERT_EQ(of_nodes[0].size(), 1U);
    EXPECT_EQ(of_nodes[0][0], of_ranks[0][0]);
    ASSERT_EQ(of_nodes[1].size(), 1U);
    EXPECT_EQ(of_nodes[1][0].local.address, "10.0.0.2");
}

TEST(FindNetworkUse, OfFakedNodesIsTheLoopback) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<std::string> nodes;
    for (int i = 0; i < ranks; ++i) {
        nodes.push_back("node" + std::to_string(i));
    }
    const NetworkUse use = find_network_use(MPI_COMM_WORLD, placement_of(nodes), "ch3:sock", "");
    if (rank != 0) {
        EXPECT_TRUE(use.nodes.empty());
        return;
    }
    EXPECT_EQ(use.evidence, Evidence::sockets);
    ASSERT_EQ(use.nodes.size(), nodes.size());
    for (const NodeNetwork& node : use.nodes) {
        EXPECT_EQ(node.addresses.size(), 1U);
        EXPECT_EQ(node.interfaces.size(), 1U);
        EXPECT_TRUE(node.is_loopback);
    }
    const NetworkUse alone = find_network_use(MPI_COMM_SELF, placement_of({"here"}), "ch3:sock", "");
    EXPECT_EQ(alone.evidence, Evidence::one_node);
    const NetworkUse unseen = find_network_use(
        MPI_COMM_SELF, Placement{{"here"}, {"here", "there"}, {1, 0}, 1, 1, 1, ""}, "ch4:ofi", "");
    EXPECT_EQ(unseen.evidence, Evidence::library);
    EXPECT_TRUE(unseen.stated_by_library.starts_with("ch4:ofi")) << unseen.stated_by_library;
}

}  // namespace

// SPDX-License-Identifier: MIT
// The connections of a process, and those of a job between nodes among them.
#include "network_use.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace {

using namespace bench;

Placement placement_of(const std::vector<std::string>& node_of_rank) {
    Placement placement = {node_of_rank, {}, {}, 1, 0, 1, ""};
    for (const std::string& node : node_of_rank) {
        if (placement.nodes.empty() || placement.nodes.back() != node) {
            placement.nodes.push_back(node);
        }
    }
    return placement;
}

// A socket of TCP, closed at the end
struct Socket {
    explicit Socket(int descriptor) : number(descriptor) {}
    ~Socket() { close(number); }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    int number;
};

sockaddr_storage address_from(int family, const char* text, int port) {
    sockaddr_storage address = {};
    address.ss_family = static_cast<sa_family_t>(family);
    if (family == AF_INET) {
        auto& v4 = reinterpret_cast<sockaddr_in&>(address);
        v4.sin_port = htons(static_cast<std::uint16_t>(port));
        EXPECT_EQ(inet_pton(family, text, &v4.sin_addr), 1);
    } else {
        auto& v6 = reinterpret_cast<sockaddr_in6&>(address);
        v6.sin6_port = htons(static_cast<std::uint16_t>(port));
        EXPECT_EQ(inet_pton(family, text, &v6.sin6_addr), 1);
    }
    return address;
}

TEST(EndpointOf, KnowsBothVersions) {
    EXPECT_EQ(endpoint_of(address_from(AF_INET, "192.168.1.3", 8080)), (Endpoint{"192.168.1.3", 8080}));
    EXPECT_EQ(endpoint_of(address_from(AF_INET6, "fe80::2", 1)), (Endpoint{"fe80::2", 1}));
    EXPECT_EQ(endpoint_of(address_from(AF_INET6, "::ffff:192.168.1.3", 2)), (Endpoint{"192.168.1.3", 2}))
        << "a version 4 address in a version 6 socket";
}

TEST(OwnConnections, HaveBothEndsOfAConnectionButNoSocketThatListens) {
    const std::size_t before = own_connections().size();
    const Socket listening(socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_storage address = address_from(AF_INET, "127.0.0.1", 0);
    socklen_t length = sizeof(sockaddr_in);
    ASSERT_EQ(bind(listening.number, reinterpret_cast<sockaddr*>(&address), length), 0);
    ASSERT_EQ(listen(listening.number, 1), 0);
    ASSERT_EQ(getsockname(listening.number, reinterpret_cast<sockaddr*>(&address), &length), 0);
    EXPECT_EQ(own_connections().size(), before);
    const Socket here(socket(AF_INET, SOCK_STREAM, 0));
    ASSERT_EQ(connect(here.number, reinterpret_cast<sockaddr*>(&address), length), 0);
    const Socket there(accept(listening.number, nullptr, nullptr));
    int ends = 0;
    for (const Connection& connection : own_connections()) {
        const bool is_here = connection.remote == endpoint_of(address);
        const bool is_there = connection.local == endpoint_of(address);
        if (is_here || is_there) {
            ++ends;
            EXPECT_TRUE(connection.is_to_own_host);
            EXPECT_EQ(connection.interface, "lo");
        }
    }
    EXPECT_EQ(ends, 2);
}

TEST(BetweenNodes, OnlyConnectionsWithBothEndsInTheJob) {
    const auto connection = [](const char* from, int from_port, const char* to, int to_port) {
        return Connection{{from, from_port}, {to, to_port}, "", "", false};
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
        EXPECT_EQ(node.subnets.size(), 1U);
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

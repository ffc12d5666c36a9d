// SPDX-License-Identifier: MIT
// The network that a job says it uses against the one that it was started for.
#include "network_check.hpp"
#include "cluster_file.hpp"
#include "contains.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

Json header(const std::string& evidence, const std::string& second_interface = "eth1",
            const std::string& second_address = "10.1.0.2") {
    const auto node = [](const std::string& name, const std::string& interface, const std::string& address,
                         const std::string& wanted) {
        return Json{{"node", name},      {"interfaces", {interface}}, {"addresses", {address}},
                    {"loopback", false}, {"name", name + "-fast"},    {"name_addresses", {wanted}}};
    };
    return {{"network",
             {{"evidence", evidence},
              {"library", "ch4:ofi, FI_PROVIDER=verbs"},
              {"nodes",
               {node("n1", "eth1", "10.1.0.1", "10.1.0.1"),
                node("n2", second_interface, second_address, "10.1.0.2")}}}}};
}

Cluster cluster_with(const std::string& kind) {
    return cluster_from(CheckedJson(Json{{"hosts", {"n1", "n2"}},
                                         {"launcher", {{"kind", kind}}},
                                         {"layouts", {{{"nodes", 2}, {"ppn", 1}}}}},
                                    "test"));
}

class NetworkProblem : public testing::Test {
  protected:
    std::string problem(const Json& of_header) const {
        return network_problem(of_header, cluster_with("hydra"), network);
    }
    Network network = {"fast", {}, {}, "", ""};
};

TEST_F(NetworkProblem, NoneWhereNothingIsDemanded) {
    EXPECT_EQ(problem(header("sockets")), "");
    EXPECT_EQ(problem(header("unknown")), "");
    EXPECT_EQ(problem({{"type", "header"}}), "") << "a benchmark that says nothing of networks";
}

TEST_F(NetworkProblem, AnInterfaceMustBeTheOneOnEveryNode) {
    network.interface = "eth1";
    EXPECT_EQ(problem(header("sockets")), "");
    const std::string text = problem(header("sockets", "eth0"));
    EXPECT_CONTAINS(text, "the network fast");
    EXPECT_CONTAINS(text, "n2 uses eth0 (10.1.0.2), not the interface eth1");
    EXPECT_CONTAINS(text, "environment");
}

TEST_F(NetworkProblem, AnAddressMustBeTheOneOfTheNameOnEveryNode) {
    network.host_suffix = "-fast";
    EXPECT_EQ(problem(header("sockets")), "");
    EXPECT_CONTAINS(problem(header("sockets", "eth0", "10.0.0.2")),
                    "n2 uses eth0 (10.0.0.2), but n2-fast is 10.1.0.2");
    Json unresolved = header("sockets");
    unresolved["network"]["nodes"][0]["name_addresses"] = Json::array();
    EXPECT_CONTAINS(problem(unresolved), "of node n1 does not resolve");
}

TEST_F(NetworkProblem, WhatNobodyCanSeeIsNotConfirmed) {
    network.interface = "ib0";
    EXPECT_CONTAINS(problem(header("library")), "cannot be confirmed");
    EXPECT_CONTAINS(problem(header("library")), "FI_PROVIDER=verbs");
    EXPECT_CONTAINS(problem({{"type", "header"}}), "cannot be confirmed");
    EXPECT_EQ(problem({{"network", {{"evidence", "one node"}, {"nodes", Json::array()}}}}), "");
}

TEST_F(NetworkProblem, NamesOfFakedNodesAreNotLookedUp) {
    network.host_suffix = "-fast";
    EXPECT_EQ(network_problem(header("sockets", "lo", "127.0.0.1"), cluster_with("hydra-fork"), network), "");
}

TEST(NetworkText, SaysWhatIsUsedAndHowThatIsKnown) {
    EXPECT_EQ(interfaces_text(header("sockets")), "eth1");
    EXPECT_EQ(interfaces_text(header("sockets", "eth0")), "eth0,eth1");
    EXPECT_EQ(interfaces_text(header("library")), "");
    EXPECT_EQ(network_text(header("sockets")),
              "n1 uses eth1 (10.1.0.1); n2 uses eth1 (10.1.0.2) (confirmed by sockets)");
    EXPECT_EQ(network_text(header("library")), "ch4:ofi, FI_PROVIDER=verbs (reported by the library)");
    EXPECT_EQ(network_text({{"type", "header"}}), "unknown");
}

}  // namespace

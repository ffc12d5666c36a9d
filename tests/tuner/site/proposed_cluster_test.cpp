// SPDX-License-Identifier: MIT
#include "proposed_cluster.hpp"

#include <gtest/gtest.h>

#include "cluster_file.hpp"
#include "contains.hpp"

namespace {

using namespace tuner;

NodeFacts node(int number, int cores = 8) {
    const std::string end = std::to_string(number);
    return {"n" + end,
            cores,
            16000,
            "A1",
            "Linux 6",
            "0.1.0",
            {{"eth0", "10.1.0." + end, "10.1.0.0/16", 1000},
             {"ib0", "10.2.0." + end, "10.2.0.0/16", 100000},
             {"eth1", "10.3." + end + ".1", "10.3." + end + ".0/24", 1000},
             {"docker0", "172.17.0.1", "172.17.0.0/16", 0}}};
}

AskedNodes four_nodes() {
    AskedNodes asked;
    for (int i = 1; i <= 4; ++i) {
        asked.facts["n" + std::to_string(i)] = node(i);
    }
    return asked;
}

TEST(ProposedNetworks, AreInterfacesOfAllNodesInOneSubnet) {
    const auto networks = networks_of(four_nodes());
    ASSERT_EQ(networks.size(), 2u);
    EXPECT_EQ(networks[0].interface, "ib0") << "the fastest first";
    EXPECT_EQ(networks[0].subnet, "10.2.0.0/16");
    EXPECT_EQ(networks[1].interface, "eth0");
    AskedNodes asked = four_nodes();
    asked.facts["n3"].interfaces.erase(asked.facts["n3"].interfaces.begin());
    EXPECT_EQ(networks_of(asked).size(), 1u) << "one node lacks eth0";
    asked = four_nodes();
    asked.facts["n3"].interfaces[0].address = asked.facts["n2"].interfaces[0].address;
    EXPECT_EQ(networks_of(asked).size(), 1u) << "n2 and n3 are one machine";
}

TEST(Differences, AreThoseFromMostNodes) {
    AskedNodes asked = four_nodes();
    EXPECT_TRUE(differences(asked).empty());
    asked.facts["n2"].cores = 4;
    asked.facts["n4"].kernel = "Linux 5";
    EXPECT_EQ(differences(asked),
              (std::vector<std::string>{"n2: cores 4, others 8", "n4: kernel Linux 5, others Linux 6"}));
}

TEST(ClusterFileText, IsReadAsItWasMeant) {
    ProposedCluster proposed = {"--hosts n[1-4]", "office", {"n[1-4]"}, {{"kind", "hydra"}}, four_nodes()};
    proposed.asked.facts["n2"].cores = 4;
    for (auto& [host, facts] : proposed.asked.facts) {
        facts.libraries = {"MPICH 4.0.2"};
    }
    proposed.asked.facts["n3"].libraries.push_back("Open MPI 4.1.4");
    const std::string text = cluster_file_text(proposed);
    EXPECT_CONTAINS(text, "// on all nodes: MPICH 4.0.2\n");
    EXPECT_CONTAINS(text, "// differs: n3: MPI libraries MPICH 4.0.2 and Open MPI 4.1.4, others MPICH 4.0.2");
    EXPECT_CONTAINS(text, "// differs: n2: cores 4, others 8");
    EXPECT_CONTAINS(text, "// 10.2.0.0/16, 100000 Mbit/s");
    const Cluster cluster = cluster_from(CheckedJson::parse(text, "cluster.json"));
    ASSERT_EQ(cluster.hosts.size(), 4u);
    EXPECT_EQ(cluster.hosts[3].name, "n4");
    EXPECT_EQ(cluster.hosts[0].slots, 4) << "what all of them have";
    ASSERT_EQ(cluster.networks.size(), 2u);
    EXPECT_EQ(cluster.networks[0].interface, "ib0");
    EXPECT_TRUE(cluster.chooses_layouts);
}

TEST(ClusterFileText, OfOneNodeHasNoNetworkBetweenNodes) {
    ProposedCluster proposed = {"this machine", "vm", {"localhost"}, {{"kind", "hydra-fork"}}, {}};
    proposed.asked.facts["localhost"] = node(1, 2);
    const Cluster cluster = cluster_from(CheckedJson::parse(cluster_file_text(proposed), "cluster.json"));
    ASSERT_EQ(cluster.networks.size(), 1u);
    EXPECT_EQ(cluster.networks[0].interface, "");
}

}  // namespace

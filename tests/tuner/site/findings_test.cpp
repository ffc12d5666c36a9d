// SPDX-License-Identifier: MIT
// Made-up nodes: a healthy cluster has no findings, and each fault is named with its node.
#include "findings.hpp"

#include <gtest/gtest.h>

#include "cluster_file.hpp"
#include "contains.hpp"

namespace {

using namespace tuner;

NodeFacts healthy_node(int number) {
    const std::string end = std::to_string(number);
    NodeFacts facts;
    facts.host = "n" + end;
    facts.cores = 4;
    facts.memory_megabytes = 16000;
    facts.processor = "A1";
    facts.kernel = "Linux 6";
    facts.changeover = "0.1.0";
    facts.interfaces = {{"eth0", "10.1.0." + end, "10.1.0.0/16", 1000},
                        {"ib0", "10.2.0." + end, "10.2.0.0/16", 100000}};
    facts.health = NodeHealth{"",
                              "11111111",
                              "MPICH Version: 4.0.2",
                              "22222222",
                              {{0.01, 0.02, 0, 0.1}, ""},
                              {"performance"},
                              1e9,
                              100.0 + number,
                              "",
                              true};
    return facts;
}

class Findings : public testing::Test {
  protected:
    const Cluster cluster =
        cluster_from(CheckedJson(Json{{"hosts", Json::array({{{"name", "n[1-4]"}, {"slots", 4}}})},
                                      {"networks", Json::array({{{"name", "slow"}, {"interface", "eth0"}},
                                                                {{"name", "fast"}, {"interface", "ib0"}}})}},
                                 "test"));
    AskedNodes asked = [] {
        AskedNodes nodes;
        for (int i = 1; i <= 4; ++i) {
            nodes.facts["n" + std::to_string(i)] = healthy_node(i);
            nodes.clock_offsets["n" + std::to_string(i)] = 0.01 * i;
        }
        return nodes;
    }();
    std::string folder_problem;

    NodeHealth& health(const std::string& node) { return *asked.facts.at(node).health; }
    std::vector<CheckResult> results() const {
        return check_nodes({cluster, asked, "/shared", folder_problem});
    }
    // One finding of one check, of this node
    void expect_only(const std::string& check, const std::vector<std::string>& nodes,
                     const std::string& what) const {
        for (const CheckResult& result : results()) {
            if (result.name != check) {
                EXPECT_TRUE(result.findings.empty()) << result.name << ": " << result.findings.front().what;
                continue;
            }
            ASSERT_EQ(result.findings.size(), 1u) << check;
            EXPECT_EQ(result.findings[0].nodes, nodes);
            EXPECT_CONTAINS(result.findings[0].what, what);
            EXPECT_FALSE(result.findings[0].why.empty());
            EXPECT_FALSE(result.findings[0].remedy.empty());
        }
    }
};

TEST_F(Findings, OfAHealthyClusterAreNone) {
    for (const CheckResult& result : results()) {
        EXPECT_TRUE(result.findings.empty()) << result.name << ": " << result.findings.front().what;
        EXPECT_EQ(to_text(result).substr(0, 5), "fine ");
    }
    EXPECT_EQ(results().size(), 11u);
    EXPECT_EQ(hosts_for_jobs(cluster, results()), cluster.hosts);
}

TEST_F(Findings, ANodeThatDoesNotAnswer) {
    asked.facts.erase("n2");
    asked.problems["n2"] = "no answer within 15 s";
    expect_only("launcher", {"n2"}, "does not answer: no answer within 15 s");
    EXPECT_CONTAINS(results()[0].findings[0].command, "-hosts n2:1");
    ASSERT_EQ(hosts_for_jobs(cluster, results()).size(), 3u);
    EXPECT_EQ(hosts_for_jobs(cluster, results())[1].name, "n3");
}

TEST_F(Findings, NoNodeAnswers) {
    for (const auto& [host, facts] : asked.facts) {
        asked.problems[host] = "no ssh";
    }
    asked.facts.clear();
    ASSERT_EQ(results().size(), 1u) << "nothing else can be told";
    EXPECT_EQ(results()[0].findings.size(), 4u) << "each with its command";
    EXPECT_TRUE(hosts_for_jobs(cluster, results()).empty());
}

TEST_F(Findings, AMissingBenchmark) {
    health("n3").benchmark_problem = "No such file or directory";
    health("n3").benchmark_checksum = "";
    health("n3").library = "";
    expect_only("benchmark", {"n3"}, "the benchmark does not run: No such file or directory");
    EXPECT_EQ(hosts_for_jobs(cluster, results()).size(), 3u);
}

TEST_F(Findings, AnotherBenchmark) {
    health("n1").benchmark_checksum = "33333333";
    expect_only("benchmark", {"n1"}, "checksum of the benchmark 33333333, others 11111111");
}

TEST_F(Findings, AnotherLibrary) {
    health("n4").library = "MPICH Version: 4.0.1";
    expect_only("MPI library", {"n4"},
                "MPICH Version: 4.0.1, checksum 22222222, others MPICH Version: 4.0.2");
    health("n4").library = health("n1").library;
    health("n4").library_checksum = "33333333";
    expect_only("MPI library", {"n4"}, "checksum 33333333");
}

TEST_F(Findings, WrongInterfaces) {
    NodeInterface& interface = asked.facts["n2"].interfaces[1];
    const NodeInterface before = interface;
    interface.name = "ib1";
    expect_only("interfaces", {"n2"},
                "has no interface ib0 in 10.2.0.0/16 for the network fast; it has: eth0");
    interface = before;
    interface.subnet = "10.9.0.0/16";
    expect_only("interfaces", {"n2"}, "ib0 (10.9.0.0/16)");
    interface = before;
    interface.megabits = 10000;
    expect_only("interfaces", {"n2"}, "ib0 has 10000 Mbit/s, others 100000");
    interface.megabits = 0;
    EXPECT_TRUE(results()[4].findings.empty()) << "not known";
}

TEST_F(Findings, TooFewCores) {
    for (auto& [host, facts] : asked.facts) {
        facts.cores = 2;
    }
    EXPECT_TRUE(results()[5].findings.empty()) << "the launcher gave this rank two of four cores";
    health("n1").load.busy = {0, 0};
    expect_only("cores", {"n1"}, "has 2 cores for up to 4 ranks");
}

TEST_F(Findings, BusyCores) {
    health("n2").load = {{0, 0.97, 0, 0}, "stress (process 77, 97% of a core)"};
    expect_only("load", {"n2"}, "1 of 4 cores are busy (core 1: 97%); most by stress (process 77");
    health("n2").load = {{}, ""};
    EXPECT_TRUE(results()[6].findings.empty()) << "not known";
}

TEST_F(Findings, Governors) {
    health("n2").governors = health("n4").governors = {"performance", "powersave"};
    expect_only("governors", {"n2", "n4"}, "scaling governor performance, powersave");
    health("n2").governors = health("n4").governors = {};
    EXPECT_TRUE(results()[7].findings.empty()) << "a virtual machine has none";
}

TEST_F(Findings, Clocks) {
    asked.clock_offsets["n3"] = -3600;
    expect_only("clocks", {"n3"}, "its clock is 3600 s behind the clock of this machine");
    asked.clock_offsets["n3"] = 42;
    expect_only("clocks", {"n3"}, "42 s ahead of");
}

TEST_F(Findings, ASlowNode) {
    health("n3").work_us = 150;
    expect_only("speed", {"n3"}, "is slower: 150 us for work that takes others 102 us");
}

TEST_F(Findings, RunDirectory) {
    health("n1").sees_marker = false;
    expect_only("run directory", {"n1"}, "/shared is not the same folder as here");
    health("n1").sees_marker = true;
    health("n1").writing_problem = "Read-only file system";
    expect_only("run directory", {"n1"}, "cannot write to /shared: Read-only file system");
    folder_problem = "Permission denied";
    EXPECT_CONTAINS(results()[10].findings.at(0).what, "this command cannot write to /shared");
}

TEST_F(Findings, UnlikeNodes) {
    asked.facts["n1"].processor = "B2";
    asked.facts["n1"].cores = 8;
    const auto findings = results()[1].findings;
    ASSERT_EQ(findings.size(), 2u);
    EXPECT_EQ(findings[0].what, "cores 8, others 4");
    EXPECT_EQ(findings[1].what, "processor B2, others A1");
}

TEST_F(Findings, Connections) {
    EXPECT_CONTAINS(to_text(check_connections(cluster, {})), "a job of 4 nodes works on each network");
    const CheckResult result =
        check_connections(cluster, {{"fast", {"n2"}, "no header within 10 s"}, {"slow", {"n1", "n3"}, "x"}});
    const std::string text = to_text(result);
    EXPECT_CONTAINS(text, "n2: no job with other nodes works on network fast: no header within 10 s\n");
    EXPECT_CONTAINS(text, "n1, n3: a job of them fails on network slow: x\n");
    EXPECT_CONTAINS(text, "remedy       allow TCP between the nodes on the interface ib0 in their firewalls");
}

}  // namespace

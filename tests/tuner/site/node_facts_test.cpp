// SPDX-License-Identifier: MIT
#include "node_facts.hpp"

#include <gtest/gtest.h>

#include "cluster_file.hpp"

namespace {

using namespace tuner;

TEST(NodeFacts, OfThisNodeSurviveTheWay) {
    const NodeFacts facts = facts_of_this_node();
    EXPECT_GT(facts.cores, 0);
    EXPECT_GT(facts.memory_megabytes, 0);
    EXPECT_FALSE(facts.host.empty());
    const std::string line = to_line(facts);
    EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line";
    const NodeFacts read = facts_from_line(line);
    EXPECT_EQ(to_line(read), line);
    EXPECT_EQ(read.interfaces.size(), facts.interfaces.size());
    NodeFacts hostile = facts;
    hostile.processor = "x\n\"launcher\": 1 //";
    EXPECT_EQ(facts_from_line(to_line(hostile)).processor.find('\n'), std::string::npos);
    hostile.health = NodeHealth();
    hostile.health->load.process = "\033[2J";
    EXPECT_EQ(facts_from_line(to_line(hostile)).health->load.process.find('\033'), std::string::npos);
    EXPECT_ANY_THROW(facts_from_line("Permission denied"));
    EXPECT_ANY_THROW(facts_from_line("{}"));
}

TEST(AskNodes, AnswerThroughTheLauncherOrAreNamed) {
    const auto asked = [](const std::string& program) {
        Cluster cluster =
            cluster_from(CheckedJson(Json{{"hosts", {"a", "b"}},
                                          {"launcher", {{"kind", "hydra-fork"}}},
                                          {"layouts", Json::array({{{"nodes", 2}, {"ppn", 1}}})}},
                                     "test"));
        cluster.changeover = program;
        return ask_nodes(cluster, 20);
    };
    const AskedNodes good = asked(CHANGEOVER);
    EXPECT_TRUE(good.problems.empty()) << good.problems.begin()->second;
    ASSERT_EQ(good.facts.size(), 2u);
    EXPECT_EQ(good.facts.at("a").cores, facts_of_this_node().cores);
    const AskedNodes bad = asked("/no/such/program");
    EXPECT_TRUE(bad.facts.empty());
    ASSERT_EQ(bad.problems.size(), 2u);
    EXPECT_FALSE(bad.problems.at("b").empty());
}

}  // namespace

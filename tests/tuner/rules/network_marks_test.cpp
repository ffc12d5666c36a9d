// SPDX-License-Identifier: MIT
#include "network_marks.hpp"

#include <gtest/gtest.h>

#include "error.hpp"

namespace {

using namespace tuner;

Json node_in(const std::string& interface, const std::string& subnet) {
    return {{"node", "n1"}, {"interfaces", {interface}}, {"subnets", {subnet}}};
}

void add_job(RunData& run, const std::string& network, const std::string& evidence, const Json& nodes) {
    const std::string token = "job" + std::to_string(run.events.size());
    run.events.push_back({{"event", "job_started"}, {"token", token}, {"network", network}});
    run.events.push_back({{"event", "job_header"},
                          {"token", token},
                          {"header", {{"network", {{"evidence", evidence}, {"nodes", nodes}}}}}});
}

TEST(NetworkMarks, AreThoseOfTheConnectionsBetweenNodes) {
    RunData run;
    add_job(run, "eth", "one node", Json::array({node_in("lo", "127.0.0.0/8")}));
    add_job(run, "eth", "sockets",
            Json::array({node_in("eth0", "10.1.0.0/16"), node_in("eth1", "10.1.0.0/16")}));
    add_job(run, "fast", "sockets", Json::array({node_in("eth2", "10.2.0.0/16")}));
    add_job(run, "ib", "library", Json::array());
    const NetworkMarksByName marks = marks_of(run);
    EXPECT_EQ(marks.at("eth"), (NetworkMarks{{"10.1.0.0/16"}, {"eth0", "eth1"}}));
    EXPECT_EQ(marks.at("fast"), (NetworkMarks{{"10.2.0.0/16"}, {"eth2"}}));
    EXPECT_TRUE(marks.at("ib").empty());
}

TEST(NetworkMarks, WhatTwoNetworksShareTellsNeither) {
    RunData run;
    add_job(run, "slow", "sockets", Json::array({node_in("eth0", "10.1.0.0/16")}));
    add_job(run, "fast", "sockets", Json::array({node_in("eth0", "10.2.0.0/16")}));
    const NetworkMarksByName marks = marks_of(run);
    EXPECT_EQ(marks.at("slow"), (NetworkMarks{{"10.1.0.0/16"}, {}}));
    EXPECT_EQ(marks.at("fast"), (NetworkMarks{{"10.2.0.0/16"}, {}}));
}

TEST(NetworkMarks, HeadersOfOlderVersionsHaveNone) {
    RunData run;
    run.events.push_back({{"event", "job_header"}, {"header", Json::object()}});
    EXPECT_TRUE(marks_of(run).empty());
}

TEST(NetworkMarks, AreKeptInAFile) {
    const NetworkMarks marks = {{"10.1.0.0/16"}, {"eth0", "eth1"}};
    const NetworkMarksByName read = marks_from(CheckedJson(Json{{"eth", to_json(marks)}}, "config.json"));
    EXPECT_EQ(read, (NetworkMarksByName{{"eth", marks}}));
    EXPECT_EQ(to_json(NetworkMarks{}), Json::object());
}

TEST(NetworkMarks, OfAFileThatNobodyWroteAreRefused) {
    for (const Json& bad :
         {Json{{"eth", {{"subnets", {"10.1.0.0/16\n"}}}}}, Json{{"eth", {{"subnet", {"a"}}}}},
          Json{{"eth\t", Json::object()}}, Json{{"eth", "10.1.0.0/16"}}}) {
        EXPECT_THROW(marks_from(CheckedJson(bad, "config.json")), Error) << bad;
    }
}

}  // namespace

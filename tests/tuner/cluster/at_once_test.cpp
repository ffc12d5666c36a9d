// SPDX-License-Identifier: MIT
// Which layout the rows and columns of a job have, and which jobs measure it.
#include "at_once.hpp"

#include <gtest/gtest.h>

#include "cluster_file.hpp"
#include "contains.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

std::vector<models::Communicators> ways(const std::vector<std::string>& texts) {
    std::vector<models::Communicators> all;
    for (const std::string& text : texts) {
        all.push_back(models::parse_communicators(text));
    }
    return all;
}

// Empty: they have none in common
std::string layout(const std::string& communicators, const std::string& job) {
    const auto found = layout_of_each(models::parse_communicators(communicators), parse_layout(job));
    return found ? to_string(*found) : "";
}

Cluster four_nodes(const std::vector<std::string>& layouts) {
    Cluster cluster = this_machine({8, 4});
    for (Host& host : cluster.hosts) {
        host.slots = 2;
    }
    cluster.chooses_layouts = false;
    cluster.layouts.clear();
    for (const std::string& text : layouts) {
        cluster.layouts.push_back(parse_layout(text));
    }
    return cluster;
}

std::string text_of(const Cluster& cluster) {
    std::string text;
    for (const Layout& measured : cluster.layouts) {
        text += to_string(measured) + " by " + to_string(cluster.job_of(measured)) + " " +
                cluster.communicators_of(measured) + "; ";
    }
    return text;
}

TEST(AtOnce, LayoutsOfRowsAndColumns) {
    EXPECT_EQ(layout("rows:2", "4x2"), "2x2");
    EXPECT_EQ(layout("columns:2", "4x2"), "4x1");
    EXPECT_EQ(layout("columns:4", "4x2"), "2x1");
    EXPECT_EQ(layout("rows:4", "4x2"), "1x2");
    EXPECT_EQ(layout("columns:2", "2x4"), "2x2");
    EXPECT_EQ(layout("rows:2", "4x2:round-robin"), "4x1") << "four ranks on four nodes";
    EXPECT_EQ(layout("columns:2", "4x2:round-robin"), "2x2 round-robin");
    EXPECT_EQ(layout("rows:3", "4x2"), "") << "does not divide 8";
    EXPECT_EQ(layout("rows:2", "3x2"), "") << "2+1 and 1+2 ranks";
    EXPECT_EQ(layout("rows:2", "1x2"), "") << "single ranks";
}

TEST(AtOnce, LayoutsAreMeasuredInLargerJobs) {
    Cluster cluster = four_nodes({"4x1", "4x2"});
    measure_at_once(ways({"rows:2", "columns:2", "world"}), cluster);
    EXPECT_EQ(text_of(cluster), "2x2 by 4x2 rows:2; 2x1 by 4x1 rows:2; 4x1 by 4x2 columns:2; 4x2 by 4x2 ; ")
        << "4x1 is measured once, as the first way that leads to it says";
    const Layout part = parse_layout("2x2");
    EXPECT_EQ(to_shell(launch_command(cluster, cluster.networks[0], part, {"/b"})),
              to_shell(launch_command(cluster, cluster.networks[0], parse_layout("4x2"), {"/b"})));
    EXPECT_EQ(probe_commands(cluster, cluster.networks[0], part).size(), 4U);
    EXPECT_EQ(cluster_from(CheckedJson(to_json(cluster), "manifest.json")), cluster) << "a manifest keeps it";

    Cluster usual = four_nodes({"4x1", "4x2"});
    const Cluster before = usual;
    measure_at_once(ways({"world"}), usual);
    EXPECT_EQ(usual, before);
}

TEST(AtOnce, SaysWhatCannotBe) {
    Cluster cluster = four_nodes({"3x1"});
    try {
        measure_at_once(ways({"rows:2", "world"}), cluster);
        FAIL() << "three ranks have no two rows";
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(), "change \"communicators\" in the plan, or \"layouts\"");
    }
    Json manifest = to_json(four_nodes({"2x2"}));
    manifest["at_once"] = Json::parse(R"([{"layout": {"nodes": 2, "ppn": 2}, "job": {"nodes": 4, "ppn": 2},
                                           "communicators": "columns:2"}])");
    try {
        cluster_from(CheckedJson(manifest, "manifest.json"));
        FAIL() << "columns of 4x2 are 4x1";
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(), "columns:2 of a job of 4x2 do not have the layout 2x2");
    }
}

}  // namespace

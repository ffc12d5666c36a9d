// SPDX-License-Identifier: MIT
#include "page.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "report_run.hpp"

namespace {

using namespace tuner::report;

ReportData tuned(const std::vector<std::string>& networks, const std::string& folder) {
    ReportData data;
    data.folder = folder;
    data.config.library = "MPICH Version: 4.0.2, changeover patches";
    for (const std::string& network : networks) {
        tuner::Rule rule;
        rule.network = network;
        rule.where = tuner::LayoutRange::exactly({4, 2, tuner::Mapping::round_robin});
        rule.collective = "bcast";
        rule.to_bytes = 10000;
        rule.algorithm = "binomial";
        data.config.rules.push_back(rule);
    }
    return data;
}

TEST(HowTo, NamesTheNetworkOfTheRun) {
    const std::vector<HowTo> all = how_to_use(tuned({"loopback"}, "/run"));
    ASSERT_EQ(all.size(), 3U) << "tuning file, thresholds, selection file";
    EXPECT_TRUE(contains(all[0].lines, "changeover emit --run /run --format mpich -o tuning.json\n"))
        << all[0].lines;
    EXPECT_TRUE(all[0].lines.ends_with("export MPIR_CVAR_COLL_TUNING_FILE=\"$PWD/tuning.json\""))
        << "one network needs no name";
    EXPECT_TRUE(
        contains(all[1].lines, "--format env --layout 4x2:round-robin -o tuned-loopback-4x2_round-robin.sh"))
        << all[1].lines;
}

TEST(HowTo, ThresholdsOfMeasuredLayoutsInARange) {
    ReportData data = tuned({"loopback"}, "/run");
    data.config.rules[0].where = {{2, 8}, {1, 2}};
    EXPECT_EQ(how_to_use(data).size(), 2U) << "tuning file, selection file";
    for (const tuner::Layout& layout : {tuner::Layout{8, 2}, tuner::Layout{4, 1}, tuner::Layout{9, 1}}) {
        ReportCell cell;
        cell.key = {"loopback", layout, "allgather", ""};
        data.cells.push_back(cell);
    }
    const std::vector<HowTo> all = how_to_use(data);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_TRUE(contains(all[1].title, "jobs of 8x2 on loopback")) << all[1].title;
    EXPECT_TRUE(contains(all[2].title, "jobs of 4x1 on loopback")) << all[2].title;
}

TEST(HowTo, SeveralNetworksAndSpacesAreQuoted) {
    const std::vector<HowTo> all = how_to_use(tuned({"eth", "my net"}, "/a run"));
    ASSERT_EQ(all.size(), 6U);
    EXPECT_TRUE(contains(all[3].lines, "NETWORK='my net'")) << all[3].lines;
    EXPECT_TRUE(contains(all[4].lines, "emit --run '/a run' --network 'my net' --format env"))
        << all[4].lines;
}

TEST(HowTo, NamesAreNeverCommands) {
    const std::vector<HowTo> all = how_to_use(tuned({"it's $(id)", "`id`\nid"}, "/run; id"));
    ASSERT_EQ(all.size(), 6U);
    EXPECT_TRUE(all[0].lines.ends_with("\nexport MPIR_CVAR_COLL_TUNING_NETWORK='it'\\''s $(id)'"))
        << all[0].lines;
    EXPECT_TRUE(all[3].lines.ends_with("\nexport MPIR_CVAR_COLL_TUNING_NETWORK='`id`\nid'")) << all[3].lines;
    EXPECT_TRUE(contains(all[1].lines, "emit --run '/run; id' --network 'it'\\''s $(id)' --format env"))
        << all[1].lines;
    EXPECT_TRUE(contains(all[1].lines, " -o tuned-it_s___id_-4x2_round-robin.sh\n")) << all[1].lines;
}

TEST(HowTo, NothingWithoutRules) {
    EXPECT_TRUE(how_to_use(tuned({}, "/run")).empty());
}

}  // namespace

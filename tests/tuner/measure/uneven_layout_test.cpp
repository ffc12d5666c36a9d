// SPDX-License-Identifier: MIT
// A campaign with the real benchmark on nodes of 2+2+1 ranks: samples of that layout are in the journal.
#include <gtest/gtest.h>

#include "campaign.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

TEST(UnevenLayout, IsMeasured) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path / "run";
    const Layout uneven = {3, 2, Mapping::block, 1};
    Cluster cluster = this_machine({0, 4});
    cluster.changeover = CHANGEOVER;
    cluster.benchmark = BENCHMARK;
    cluster.layouts = {uneven};
    Plan plan;
    plan.collectives = {{"bcast", "", "", 8, 512}};
    plan.case_seconds = 0.01;
    {
        Journal journal = Journal::create(path, Manifest{});
        RunData run = load_run(path);
        Progress progress{std::tmpfile(), false, false};
        Campaign campaign(cluster, plan, journal, run, progress, JobLimits{});
        const CampaignReport report = campaign.search({});
        EXPECT_TRUE(report.failed.empty()) << report.failed[0].reason;
        EXPECT_TRUE(report.crashed.empty()) << report.crashed[0].reason;
    }
    const RunData run = load_run(path);
    ASSERT_FALSE(run.cases.empty());
    for (const CaseRecord& record : run.cases) {
        EXPECT_EQ(record.layout, uneven);
    }
    const Cell bcast = cell_of(run, Stage::search, {cluster.networks[0].name, uneven, "bcast", ""});
    EXPECT_TRUE(bcast.times.at(512).contains("binomial"));
    EXPECT_TRUE(bcast.times.at(512).contains("smp"));
    EXPECT_TRUE(open_jobs(run).empty());
}

}  // namespace

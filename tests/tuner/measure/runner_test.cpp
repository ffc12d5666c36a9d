// SPDX-License-Identifier: MIT
// One network and layout, with a benchmark that misbehaves on request: each answer is in the journal at once,
// and the algorithm that ends a job is found by asking for each alone.
#include "runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "small_disk.hpp"

namespace {

using namespace tuner;

class RunnerTest : public testing::Test {
  protected:
    RunnerTest() : cluster(this_machine()), journal(Journal::create(folder.path / "run", Manifest{})) {
        cluster.changeover = CHANGEOVER;
        cluster.benchmark = FAKE_BENCH;
        group.collective = {"choice", "", "", 8, 64};
        group.bytes = 8;
    }

    Runner runner(const std::string& algorithms) {
        cluster.networks[0].environment = {
            {"FAKE_NODES", "2"}, {"FAKE_PPN", "1"}, {"FAKE_ALGORITHMS", algorithms}};
        JobLimits limits;
        limits.spare_seconds = 2;
        return Runner(cluster, cluster.networks[0], {2, 1, Mapping::block}, journal, run, limits);
    }

    std::map<std::string, Status> statuses() const {
        std::map<std::string, Status> found;
        for (const CaseRecord& record : run.cases) {
            found[record.algorithm] = record.status;
        }
        return found;
    }

    TemporaryFolder folder;
    Cluster cluster;
    Journal journal;
    RunData run;
    Group group;
};

TEST_F(RunnerTest, KeepsEachAnswerInTheJournal) {
    Runner here = runner("default slow");
    ASSERT_EQ(here.ask(group), AskResult::done) << here.reason();
    EXPECT_EQ(statuses(),
              (std::map<std::string, Status>{{"default", Status::measured}, {"slow", Status::measured}}));
    EXPECT_EQ(load_run(folder.path / "run").cases.size(), run.cases.size()) << "before the job ends";
    here.end("done");
    EXPECT_TRUE(open_jobs(load_run(folder.path / "run")).empty());
}

TEST_F(RunnerTest, FindsTheAlgorithmThatEndsTheJob) {
    Runner here = runner("default early slow");
    ASSERT_EQ(here.ask(group), AskResult::done) << here.reason();
    EXPECT_EQ(statuses(),
              (std::map<std::string, Status>{
                  {"default", Status::measured}, {"early", Status::crashed}, {"slow", Status::measured}}));
    EXPECT_EQ(here.failures_in_a_row(), 0) << "the last one was measured";
    here.end("done");
}

TEST_F(RunnerTest, SaysWhyNothingStarts) {
    cluster.benchmark = "/no/such/benchmark";
    Runner here = runner("default");
    EXPECT_EQ(here.ask(group), AskResult::not_started);
    EXPECT_NE(here.reason().find("/no/such/benchmark"), std::string::npos) << here.reason();
    EXPECT_TRUE(run.cases.empty());
}

}  // namespace

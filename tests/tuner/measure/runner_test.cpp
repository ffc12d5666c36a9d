// SPDX-License-Identifier: MIT
// One network and layout, with a benchmark that misbehaves on request: each answer is in the journal at once,
// and the algorithm that ends a job is found by asking for each alone.
#include "runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "cluster_file.hpp"
#include "error.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

class RunnerTest : public testing::Test {
  protected:
    RunnerTest() : cluster(this_machine({0, 4})), journal(Journal::create(folder.path / "run", Manifest{})) {
        cluster.changeover = CHANGEOVER;
        cluster.benchmark = FAKE_BENCH;
        group.collective = {"choice", "", "", 8, 64};
        group.bytes = 8;
    }

    Runner runner(const std::string& algorithms) {
        cluster.networks[0].environment = {{"FAKE_NODES", "2"},
                                           {"FAKE_PPN", "1"},
                                           {"FAKE_ALGORITHMS", algorithms},
                                           {"FAKE_REQUESTS", (folder.path / "requests").string()}};
        JobLimits limits;
        limits.spare_seconds = 2;
        return Runner(cluster, cluster.networks[0], {2, 1, Mapping::block}, journal, run, limits);
    }

    std::vector<Json> requests() const {
        std::ifstream file(folder.path / "requests");
        std::vector<Json> all;
        for (std::string line; std::getline(file, line);) {
            all.push_back(Json::parse(line));
        }
        return all;
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

TEST_F(RunnerTest, AsksForPairs) {
    group.algorithms = {"default", "slow"};
    for (const bool as_pairs : {false, true}) {
        Runner here = runner("default slow");
        group.as_pairs = as_pairs;
        ASSERT_EQ(here.ask(group), AskResult::done) << here.reason();
        here.end("done");
        EXPECT_EQ(requests().back().value("order", ""), as_pairs ? "pairs" : "");
    }
}

// Also the second time; apart, they have no neighbour
TEST_F(RunnerTest, AsksForPairsOnceMore) {
    group.algorithms = {"default", "early"};
    group.as_pairs = true;
    Runner here = runner("default early");
    ASSERT_EQ(here.ask(group), AskResult::done) << here.reason();
    here.end("done");
    std::vector<std::string> orders;
    for (const Json& request : requests()) {
        orders.push_back(request.value("order", ""));
    }
    EXPECT_EQ(orders, (std::vector<std::string>{"pairs", "pairs", "", ""}));
}

TEST_F(RunnerTest, AsksForCallsInARow) {
    Runner here = runner("default slow");
    group.calls_in_a_row = 10;
    ASSERT_EQ(here.ask(group), AskResult::done) << here.reason();
    EXPECT_EQ(statuses(),
              (std::map<std::string, Status>{{"default", Status::measured}, {"slow", Status::measured}}));
    for (const CaseRecord& record : load_run(folder.path / "run").cases) {
        EXPECT_EQ(record.calls_in_a_row, 10);
    }
    here.end("done");
}

TEST_F(RunnerTest, AsksForRanksThatArriveApart) {
    Runner here = runner("default slow");
    group.arrival = "one-late:0.5";
    ASSERT_EQ(here.ask(group), AskResult::done) << here.reason();
    EXPECT_EQ(requests().front().at("arrival"), "one-late:0.5");
    for (const CaseRecord& record : load_run(folder.path / "run").cases) {
        EXPECT_EQ(record.status, Status::measured);
        EXPECT_EQ(record.arrival, "one-late:0.5");
    }
    here.end("done");
}

TEST_F(RunnerTest, AsksForCommunicatorsAtOnceInALargerJob) {
    cluster.at_once = {{{2, 1}, {4, 1}, "rows:2"}};
    Runner here = runner("default slow");
    cluster.networks[0].environment[0].second = "4";  // nodes of the job
    Runner in_larger_job(cluster, cluster.networks[0], {2, 1}, journal, run, {});
    ASSERT_EQ(in_larger_job.ask(group), AskResult::done) << in_larger_job.reason();
    EXPECT_EQ(requests().back().at("communicators"), "rows:2");
    Group messages = group;
    messages.exchange.link = "between";
    in_larger_job.ask(messages);
    EXPECT_FALSE(requests().back().contains("communicators")) << "of two ranks";
    in_larger_job.end("done");
    const CaseRecord record = load_run(folder.path / "run").cases.front();
    EXPECT_EQ(record.status, Status::measured) << record.reason;
    EXPECT_EQ(record.communicators, "rows:2");
    EXPECT_EQ(record.layout, (Layout{2, 1})) << "its cells are those of the layout";
}

TEST_F(RunnerTest, SaysWhyNothingStarts) {
    cluster.benchmark = "/no/such/benchmark";
    Runner here = runner("default");
    EXPECT_EQ(here.ask(group), AskResult::not_started);
    EXPECT_NE(here.reason().find("/no/such/benchmark"), std::string::npos) << here.reason();
    EXPECT_TRUE(run.cases.empty());
}

// A job that has not started may have left processes on other nodes. It stays open in the journal unless each
// node says that nothing is left, so that the next start looks for them.
TEST_F(RunnerTest, RemembersWhatAFailedStartLeftOnOtherNodes) {
    cluster = cluster_from(CheckedJson::parse(
        R"({"hosts": ["faraway1", "faraway2"], "networks": [{"name": "lo", "interface": "lo"}],
            "layouts": [{"nodes": 2, "ppn": 1}]})",
        "test"));
    cluster.launcher_arguments = {"-launcher", "ssh", "-launcher-exec", BARE_SSH};
    cluster.benchmark = "/bin/false";  // no header; the launcher cannot tell whether all ranks have ended
    for (const char* changeover : {CHANGEOVER, "/not/there"}) {
        cluster.changeover = changeover;
        Runner here(cluster, cluster.networks[0], {2, 1, Mapping::block}, journal, run, {});
        try {
            EXPECT_EQ(here.ask(group), AskResult::not_started);
        } catch (const Error& error) {  // no node starts a program that is not there
            EXPECT_STREQ(changeover, "/not/there") << error.what();
        }
        const bool is_clean = std::string(changeover) == CHANGEOVER;
        EXPECT_EQ(open_jobs(load_run(folder.path / "run")).empty(), is_clean) << here.reason();
        EXPECT_EQ(here.problems().empty(), is_clean);
        EXPECT_EQ(here.reason().find("did not kill leftover processes") == std::string::npos, is_clean)
            << here.reason();
    }
    cluster.changeover = CHANGEOVER;
    run = load_run(folder.path / "run");
    EXPECT_TRUE(end_open_jobs(cluster, journal, run).empty());
    EXPECT_TRUE(open_jobs(load_run(folder.path / "run")).empty()) << "the next start has looked";
}

}  // namespace

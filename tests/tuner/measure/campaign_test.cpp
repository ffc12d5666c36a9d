// SPDX-License-Identifier: MIT
// Campaigns with the real benchmark, and with one that misbehaves: what fails is reported with its reason,
// the rest is measured, and nothing is left.
#include "campaign.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "contains.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

const Layout two = {2, 1, Mapping::block};  // of fake-bench
const Layout four = {2, 2,
                     Mapping::block};  // of the real one: on a busy machine, more ranks than cores start well
const Layout six = {3, 2, Mapping::block};

// A campaign in a folder of its own; `start` again is a resumed one
class CampaignTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "campaign-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
        cluster = this_machine({0, 4});
        cluster.changeover = CHANGEOVER;
        cluster.benchmark = BENCHMARK;
        cluster.layouts = {four};
        plan.collectives = {{"bcast", "", "", 8, 4096}};
        plan.case_seconds = 0.01;
    }

    PairRequest pairs(const Layout& layout, std::size_t bytes,
                      const std::vector<std::string>& algorithms) const {
        const PlannedCollective& collective = plan.collectives[0];
        return {{cluster.networks[0].name, layout, collective.name, collective.operation}, bytes, algorithms};
    }
    void TearDown() override {
        campaign.reset();
        journal.reset();
        for (const Json& event : load_run(folder / "run").events) {
            if (event.at("event") == "job_started") {
                EXPECT_EQ(reap(event.at("token").get<std::string>()).ended, 0) << "a process was left";
            }
        }
        EXPECT_TRUE(open_jobs(load_run(folder / "run")).empty());
        std::filesystem::remove_all(folder);
    }

    void measure_ends_with_a_changeover();
    std::size_t made_up_cases = 0;

    // FAKE_ALGORITHMS of the collective `choice`, on 2x1
    void use_fake(const std::string& algorithms, Environment environment = {}) {
        cluster.benchmark = FAKE_BENCH;
        cluster.layouts = {two};
        limits.spare_seconds = 2;
        environment.insert(environment.end(),
                           {{"FAKE_NODES", "2"}, {"FAKE_PPN", "1"}, {"FAKE_ALGORITHMS", algorithms}});
        cluster.networks[0].environment = environment;
        plan.collectives = {{"choice", "", "", 8, 64}};
    }

    void start() {
        campaign.reset();
        journal.reset();
        run = {};
        const std::filesystem::path path = folder / "run";
        if (std::filesystem::exists(path)) {
            journal.emplace(Journal::resume(path, run));
        } else {
            journal.emplace(Journal::create(path, Manifest{}));
            run = load_run(path);
        }
        campaign = std::make_unique<Campaign>(cluster, plan, *journal, run, progress, limits);
    }
    CampaignReport search(std::optional<Deadline> deadline = {}) {
        start();
        return campaign->search(deadline);
    }

    Cell cell(const std::string& collective, const Layout& layout, const std::string& operation = "") const {
        return cell_of(load_run(folder / "run"), Stage::search,
                       {cluster.networks[0].name, layout, collective, operation});
    }
    Cell cell(const std::string& collective) const { return cell(collective, cluster.layouts[0]); }
    std::size_t launches() const {
        const RunData now = load_run(folder / "run");
        return static_cast<std::size_t>(
            std::count_if(now.events.begin(), now.events.end(),
                          [](const Json& event) { return event.at("event") == "job_started"; }));
    }

    std::filesystem::path folder;
    Cluster cluster;
    Plan plan;
    JobLimits limits;
    std::string said() {
        std::rewind(output);
        std::string text;
        for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output)) {
            text += static_cast<char>(c);
        }
        return text;
    }

    std::FILE* output = std::tmpfile();
    Progress progress{output, false, false};
    RunData run;
    std::optional<Journal> journal;
    std::unique_ptr<Campaign> campaign;
};

TEST_F(CampaignTest, TellsOnceThatClocksDoNotAgree) {
    use_fake("default good", {{"FAKE_HEADER", R"({"sync_error_us": 3000})"}});
    search();
    const std::string warning = "Warning: the clocks of loopback 2x1 agree only within 3 ms";
    EXPECT_CONTAINS(said(), warning);
    EXPECT_EQ(said().find(warning), said().rfind(warning));
}

TEST_F(CampaignTest, MeasuresAllLayoutsAndCollectives) {
    cluster.layouts = {four, six};
    plan.collectives.push_back({"allreduce", "float", "sum", 8, 512});
    const CampaignReport report = search();
    campaign->end_job();
    EXPECT_EQ(launches(), 2u) << "one for each layout";
    EXPECT_TRUE(report.crashed.empty());
    EXPECT_TRUE(report.failed.empty());
    EXPECT_TRUE(report.coarse.empty()) << report.coarse[0];
    EXPECT_FALSE(report.stopped);
    EXPECT_EQ(report.cases, run.cases.size());
    EXPECT_GT(report.benchmark_seconds, 0);
    for (const Layout& layout : cluster.layouts) {
        const Cell bcast = cell("bcast", layout);
        EXPECT_TRUE(bcast.times.contains(8));
        EXPECT_TRUE(bcast.times.contains(4096));
        EXPECT_TRUE(bcast.times.at(512).contains("binomial"));
        EXPECT_TRUE(cell("allreduce", layout, "sum").times.at(64).contains("default"));
        EXPECT_FALSE(next_request(plan, plan.collectives[0], bcast));
    }
}

TEST_F(CampaignTest, MeasuresOnlyTheCellsThatAreWanted) {
    use_fake("default slow");
    plan.collectives = {{"choice", "", "", 8, 64}, {"good", "", "", 8, 8}};
    start();
    const std::set<CellKey> only = {{cluster.networks[0].name, two, "choice", ""}};
    const CampaignReport report = campaign->search({}, &only);
    EXPECT_GT(report.cases, 0u);
    EXPECT_TRUE(report.coarse.empty());
    for (const CaseRecord& record : run.cases) {
        EXPECT_EQ(record.collective, "choice");
    }
}

TEST_F(CampaignTest, WhatIsDoneIsNotMeasuredAgain) {
    search();
    const std::size_t cases = run.cases.size();
    const CampaignReport report = search();
    EXPECT_EQ(report.cases, 0u);
    EXPECT_EQ(load_run(folder / "run").cases.size(), cases);
    EXPECT_EQ(launches(), 1u);
}

TEST_F(CampaignTest, AsksGroupsForVerificationInTheRunningJob) {
    plan.verify_repetitions = 70;
    search();
    for (const std::size_t bytes : {100u, 200u}) {
        const GroupAnswer answer = campaign->ask_pairs(
            Stage::verify, pairs(four, bytes, {"default", "binomial"}), plan.collectives[0]);
        EXPECT_EQ(answer.asked, AskResult::done) << answer.reason;
        ASSERT_EQ(answer.cases.size(), 2u);
        EXPECT_EQ(answer.cases[1].algorithm, "binomial");
        const Cell found = cell("bcast", four);  // on a busy machine calls take long, and pairs are fewer
        const Group asked = group_of(pairs(four, bytes, {"default", "binomial"}), Stage::verify,
                                     plan.collectives[0], plan, found, false);
        EXPECT_EQ(answer.cases[1].samples_seconds.size(),
                  static_cast<std::size_t>(asked.limits.max_repetitions));
        EXPECT_EQ(answer.cases[1].stage, Stage::verify);
    }
    EXPECT_EQ(launches(), 1u);
    const GroupAnswer answer =
        campaign->ask_pairs(Stage::verify, pairs(six, 100, {"default"}), plan.collectives[0]);
    EXPECT_EQ(answer.asked, AskResult::done);
    EXPECT_EQ(launches(), 2u) << "another layout";
}

TEST_F(CampaignTest, WarmsUpAJobWithItsFirstSize) {
    const std::string requests = folder / "requests";
    use_fake("default ring", {{"FAKE_REQUESTS", requests}});
    start();
    for (const int calls_in_a_row : {1, 1, 10}) {
        PairRequest request = pairs(two, 64, {"default", "ring"});
        request.calls_in_a_row = calls_in_a_row;
        campaign->ask_pairs(Stage::check, request, plan.collectives[0]);
    }
    campaign->end_job();
    campaign->ask_pairs(Stage::check, pairs(two, 64, {"default", "ring"}), plan.collectives[0]);
    std::vector<int> warm_up;  // -1: as the benchmark does
    std::ifstream lines(requests);
    for (std::string line; std::getline(lines, line);) {
        warm_up.push_back(Json::parse(line).value("warm_up", -1));
    }
    EXPECT_EQ(warm_up, (std::vector<int>{-1, 2, 1, -1}));
}

// The file must choose what is to be verified; all other stages are without it.
TEST_F(CampaignTest, VerifiesByTheTuningFileOfTheJob) {
    const std::string file = folder / "tuning.json";
    std::ofstream(file) << R"({"version": 1, "mpir": [
        {"collective": "bcast", "network": "mine", "algorithm": "scatter_ring_allgather"}]})";
    cluster.networks[0].environment = {{"MPIR_CVAR_COLL_TUNING_FILE", file},
                                       {"MPIR_CVAR_COLL_TUNING_NETWORK", "mine"}};
    plan.verify_repetitions = 30;
    start();
    const auto ask = [&](Stage stage, const std::string& algorithm) {
        const GroupAnswer answer =
            campaign->ask_pairs(stage, pairs(four, 100, {"default", algorithm}), plan.collectives[0]);
        EXPECT_EQ(answer.asked, AskResult::done) << answer.reason;
        EXPECT_EQ(answer.cases.at(0).used, "binomial") << "the default is without the file";
        EXPECT_EQ(answer.cases.at(1).algorithm, algorithm);
        return answer.cases.at(1);
    };
    const CaseRecord right = ask(Stage::verify, "scatter_ring_allgather");
    EXPECT_EQ(right.status, Status::measured);
    EXPECT_EQ(right.used, "scatter_ring_allgather");
    EXPECT_EQ(right.samples_seconds.size(), 10u);
    const CaseRecord wrong = ask(Stage::verify, "binomial");
    EXPECT_EQ(wrong.status, Status::wrong_algorithm);
    EXPECT_TRUE(wrong.samples_seconds.empty());
    EXPECT_CONTAINS(wrong.reason, "check that the node of rank 0 can read the file");
    EXPECT_EQ(ask(Stage::check, "binomial").status, Status::measured);
}

// As an empty range makes the library refuse the whole file
TEST_F(CampaignTest, ATuningFileThatTheLibraryRefusesIsAnError) {
    const std::string file = folder / "tuning.json";
    std::ofstream(file)
        << R"({"version": 1, "mpir": [{"collective": "bcast", "bytes": [9, 8], "algorithm": "binomial"}]})";
    cluster.networks[0].environment = {{"MPIR_CVAR_COLL_TUNING_FILE", file}};
    start();
    try {
        campaign->ask_pairs(Stage::verify, pairs(four, 100, {"default", "smp"}), plan.collectives[0]);
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(), "/mpir/0/bytes: the range is empty");
    }
}

TEST_F(CampaignTest, TakesFewerPairsWhereACallTakesLong) {
    search();
    CaseRecord slow = run.cases.front();
    slow.status = Status::measured;
    slow.bytes = 1 << 16;  // not measured by the search
    slow.samples_seconds.assign(20, 1.0);
    run.cases.push_back(slow);
    const GroupAnswer answer = campaign->ask_pairs(
        Stage::verify, pairs(four, 1 << 16, {"default", "binomial"}), plan.collectives[0]);
    ASSERT_EQ(answer.cases.size(), 2u);
    EXPECT_EQ(answer.cases[0].samples_seconds.size(), 4u) << "12 in three jobs";
}

// One algorithm misbehaves at 64 bytes
struct Misbehaviour {
    const char* algorithm;
    const char* reason;
};
class MisbehavingCampaign : public CampaignTest, public testing::WithParamInterface<Misbehaviour> {};

TEST_P(MisbehavingCampaign, PoisonsOneCaseAndGoesOn) {
    const std::string bad = GetParam().algorithm;
    use_fake("default " + bad + " other", {{"FAKE_FROM_BYTES", "64"}});
    const CampaignReport report = search();
    ASSERT_EQ(report.crashed.size(), 1u);
    EXPECT_EQ(report.crashed[0].algorithm, bad);
    EXPECT_EQ(report.crashed[0].bytes, 64u);
    EXPECT_CONTAINS(report.crashed[0].reason, GetParam().reason);
    EXPECT_TRUE(report.failed.empty());
    const Cell result = cell("choice");
    EXPECT_EQ(result.times.at(8).size(), 3u);
    EXPECT_EQ(result.times.at(64).size(), 2u);
    ASSERT_TRUE(result.times.at(64).contains("other"));
    EXPECT_TRUE(result.times.at(64).at("other").gain) << "of pairs, as if nothing had happened";
    EXPECT_CONTAINS(result.missing.at(64).at(bad), GetParam().reason);
    EXPECT_EQ(std::count_if(run.cases.begin(), run.cases.end(),
                            [](const CaseRecord& record) { return record.status == Status::crashed; }),
              2)
        << "once more at the end";
    EXPECT_EQ(search().cases, 0u) << "and never again";
}
INSTANTIATE_TEST_SUITE_P(All, MisbehavingCampaign,
                         testing::Values(Misbehaviour{"crash", "EXIT CODE: 11"},
                                         Misbehaviour{"hang", "timed out: no answer within"},
                                         Misbehaviour{"garbage", "garbage: a line that is not JSON"},
                                         Misbehaviour{"early", "exit status 3"},
                                         Misbehaviour{"incomplete", "garbage: an incomplete answer"},
                                         Misbehaviour{"other_id", "garbage: an answer without a request"}),
                         [](const auto& test) { return std::string(test.param.algorithm); });

TEST_F(CampaignTest, APoisonedCaseThatSucceedsLaterCounts) {
    // the group, the case alone, and then no more
    use_fake("default crash other",
             {{"FAKE_FROM_BYTES", "64"}, {"FAKE_COUNT", folder / "count"}, {"FAKE_TIMES", "2"}});
    const CampaignReport report = search();
    EXPECT_TRUE(report.crashed.empty());
    ASSERT_TRUE(cell("choice").times.at(64).contains("crash"));
    EXPECT_TRUE(cell("choice").times.at(64).at("crash").gain);
    EXPECT_TRUE(cell("choice").missing.empty());
}

TEST_F(CampaignTest, MeasuresPairsTogetherAgainWhenTheirJobDies) {
    use_fake("default crash", {{"FAKE_COUNT", folder / "count"}, {"FAKE_TIMES", "1"}});
    start();
    const GroupAnswer answer =
        campaign->ask_pairs(Stage::verify, pairs(two, 64, {"default", "crash"}), plan.collectives[0]);
    ASSERT_EQ(answer.cases.size(), 2u);
    EXPECT_EQ(answer.cases[0].status, Status::measured);
    EXPECT_EQ(answer.cases[0].group, answer.cases[1].group);  // a resumed run finds them as a pair
}

TEST_F(CampaignTest, ARequestThatIsRefusedIsNoted) {
    use_fake("default refuse", {{"FAKE_FROM_BYTES", "64"}});
    const CampaignReport report = search();
    EXPECT_TRUE(report.crashed.empty());
    EXPECT_EQ(cell("choice").missing.at(64).at("refuse"), "not that");
    EXPECT_TRUE(cell("choice").times.at(64).contains("default"));
    EXPECT_EQ(launches(), 1u);
}

TEST_F(CampaignTest, ACollectiveWhereAllFailsIsGivenUp) {
    use_fake("default crash other", {{"FAKE_FROM_BYTES", "64"}});
    plan.collectives = {{"crash", "", "", 8, 1 << 20}, {"choice", "", "", 8, 64}};
    const CampaignReport report = search();
    ASSERT_EQ(report.coarse.size(), 1u);
    EXPECT_CONTAINS(report.coarse[0], "crash on loopback 2x1 was given up after 6 failed cases in a row");
    EXPECT_CONTAINS(report.coarse[0], "EXIT CODE: 11");
    EXPECT_EQ(cell("choice").times.size(), 2u);
    EXPECT_EQ(report.crashed.size(), 7u) << "the other collective has one, and is not given up for it";
}

TEST_F(CampaignTest, ALauncherThatFailsCostsItsLayoutOnly) {
    Network broken = cluster.networks[0];
    broken.name = "broken";
    broken.launcher_arguments = {"-frobnicate"};
    cluster.networks.insert(cluster.networks.begin(), broken);
    const CampaignReport report = search();
    ASSERT_EQ(report.failed.size(), 1u);
    EXPECT_EQ(report.failed[0].network, "broken");
    EXPECT_CONTAINS(report.failed[0].reason, "unrecognized argument frobnicate");
    const Cell other = cell_of(run, Stage::search, {cluster.networks[1].name, four, "bcast", ""});
    EXPECT_TRUE(other.times.contains(4096));
}

TEST_F(CampaignTest, ABenchmarkThatNeverAnswersIsReported) {
    use_fake("default", {{"FAKE_START", "hang"}});
    limits.start_seconds = 1;
    const CampaignReport report = search();
    ASSERT_EQ(report.failed.size(), 1u);
    EXPECT_CONTAINS(report.failed[0].reason, "no header within 1 s");
    EXPECT_TRUE(run.cases.empty());
}

TEST_F(CampaignTest, KeepsTheDeadlineAndSaysWhatIsMissing) {
    plan.exhaustive = true;
    plan.collectives = {{"bcast", "", "", 8, 1 << 20}, {"allgather", "", "", 8, 1 << 16}};
    plan.case_seconds = 0.2;
    const Deadline start = Clock::now();
    const CampaignReport report = search(in_seconds(10));
    EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 15)
        << "10 s, 5% more, and the end of a job";
    ASSERT_EQ(report.coarse.size(), 2u);
    EXPECT_CONTAINS(report.coarse[0], "bcast on loopback 2x2 was not measured from");
    EXPECT_FALSE(cell("bcast").times.empty());
    EXPECT_FALSE(cell("allgather").times.empty()) << "each has its share";
    EXPECT_TRUE(report.crashed.empty());
}

// Both ends of bcast on `four`: at the large one, a time that no real machine has decides who is best
void CampaignTest::measure_ends_with_a_changeover() {
    plan.collectives = {{"bcast", "", "", 8, 1 << 20}};
    plan.size_step = 1e6;  // the ends only
    plan.case_seconds = 0.2;
    start();
    campaign->ask_pairs(Stage::search, pairs(four, 8, {}), plan.collectives[0]);
    std::vector<CaseRecord> group = run.cases;
    for (CaseRecord& record : group) {
        record.bytes = 1 << 20;
        if (record.algorithm == "scatter_ring_allgather") {
            record.samples_seconds.assign(100, 1e-9);
        }
    }
    journal->append(group);
    made_up_cases = group.size();
}

TEST_F(CampaignTest, SaysHowWellAChangeoverIsKnown) {
    measure_ends_with_a_changeover();
    const CampaignReport report = search(in_seconds(0.01));
    ASSERT_EQ(report.coarse.size(), 1u);
    EXPECT_CONTAINS(report.coarse[0],
                    "to scatter_ring_allgather between 8 and 1Mi bytes is known only within a "
                    "factor of 1.31e+05");
}

TEST_F(CampaignTest, MeasuresTheGridsOfAllLayoutsBeforeSizesBetween) {
    measure_ends_with_a_changeover();
    cluster.layouts = {four, six};
    plan.case_seconds = 0.01;
    plan.changeover_factor = 1000;  // one size between the ends
    const std::size_t before = run.cases.size();
    search(in_seconds(60));
    ASSERT_GT(run.cases.size(), before);
    EXPECT_EQ(run.cases[before + made_up_cases].layout, six)
        << "after those that were written to the journal";
    EXPECT_GT(cell("bcast", four).times.size(), 2u) << "a size between";
}

TEST_F(CampaignTest, StopsWhenAskedAndGoesOnLater) {
    plan.exhaustive = true;
    plan.changeover_factor = 1.5;
    plan.case_seconds = 0.1;
    std::thread stopper([] {
        std::this_thread::sleep_for(std::chrono::seconds(2));
        stop_requested = true;
    });
    const CampaignReport report = search();
    stopper.join();
    stop_requested = false;
    EXPECT_TRUE(report.stopped);
    EXPECT_TRUE(open_jobs(load_run(folder / "run")).empty());
    const std::size_t cases = run.cases.size();
    EXPECT_FALSE(search().stopped);
    EXPECT_GT(run.cases.size(), cases);
    std::set<std::pair<std::size_t, std::string>> once;
    for (const CaseRecord& record : run.cases) {
        EXPECT_TRUE(once.emplace(record.bytes, record.algorithm).second) << record.bytes << record.algorithm;
    }
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "stage_costs.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"

namespace {

using namespace tuner;

// A journal that is written by hand, with the events at given times
class JournalOfJobs {
  public:
    void job(const std::string& token, double started) { event("job_started", token, started); }
    void ready(const std::string& token, double time) { event("job_header", token, time); }
    void end(const std::string& token, double time, const std::string& how = "done") {
        event("job_ended", token, time);
        data.events.back()["how"] = how;
    }
    void measured(Stage stage, std::size_t samples, double seconds_spent, int calls_in_a_row = 1) {
        CaseRecord record;
        record.group = ++group_;
        record.stage = stage;
        record.seconds_spent = seconds_spent;
        record.calls_in_a_row = calls_in_a_row;
        record.samples_seconds.assign(samples, 0.1);
        data.cases.push_back(record);
    }
    RunData data;

  private:
    void event(const char* name, const std::string& token, double time) {
        data.events.push_back({{"event", name}, {"token", token}, {"time", time}, {"last_group", group_}});
    }
    std::uint64_t group_ = 0;
};

TEST(StageCosts, AreTheTimesOfJobs) {
    JournalOfJobs run;
    run.job("a", 100);
    run.ready("a", 102);
    run.measured(Stage::search, 10, 3);
    run.measured(Stage::search, 5, 1, 2);
    run.end("a", 112);
    run.job("b", 1000);  // a day later, say
    run.ready("b", 1001);
    run.measured(Stage::verify, 20, 2);
    run.end("b", 1004);
    const std::vector<StageCosts> costs = stage_costs(run.data);
    ASSERT_EQ(costs.size(), 2u);
    EXPECT_EQ(costs[0].stage, Stage::search);
    EXPECT_EQ(costs[0].jobs, 1u);
    EXPECT_EQ(costs[0].cases, 2u);
    EXPECT_NEAR(costs[0].timed_seconds, 2, 1e-9) << "calls in a row count";
    EXPECT_NEAR(costs[0].other_seconds, 8, 1e-9);
    EXPECT_NEAR(costs[0].launch_seconds, 2, 1e-9);
    EXPECT_EQ(costs[1].stage, Stage::verify);
    EXPECT_NEAR(costs[1].seconds(), 4, 1e-9);
}

TEST(StageCosts, ShareTheTimeOfAJobByWhatCasesTook) {
    JournalOfJobs run;
    run.job("a", 0);
    run.ready("a", 1);
    run.measured(Stage::network, 0, 1);
    run.measured(Stage::search, 0, 3);
    run.end("a", 9);
    const std::vector<StageCosts> costs = stage_costs(run.data);
    ASSERT_EQ(costs.size(), 2u);
    EXPECT_EQ(costs[0].jobs, 1u) << "of the first stage";
    EXPECT_EQ(costs[1].jobs, 0u);
    EXPECT_NEAR(costs[0].other_seconds, 2, 1e-9);
    EXPECT_NEAR(costs[1].other_seconds, 6, 1e-9);
}

TEST(StageCosts, OfAKilledJobCountAsLongAsItsCasesTook) {
    JournalOfJobs run;
    run.job("a", 0);
    run.ready("a", 1);
    run.measured(Stage::search, 0, 3);
    run.end("a", 90000, "reaped");
    run.job("b", 90001);
    run.end("b", 90003, "not started");
    run.job("c", 90004);
    run.ready("c", 90005);
    run.measured(Stage::verify, 0, 3);
    const std::vector<StageCosts> costs = stage_costs(run.data);
    ASSERT_EQ(costs.size(), 2u);
    EXPECT_NEAR(costs[0].seconds(), 4, 1e-9);
    EXPECT_EQ(costs[1].jobs, 2u) << "a job that did not start was for what came next";
    EXPECT_NEAR(costs[1].launch_seconds, 3, 1e-9);
    EXPECT_NEAR(costs[1].seconds(), 6, 1e-9);
}

TEST(StageCosts, TableHasARowForEachStageAndOneForAll) {
    JournalOfJobs run;
    run.job("a", 0);
    run.ready("a", 1);
    run.measured(Stage::search, 10, 2);
    run.end("a", 4);
    const std::string table = costs_table(stage_costs(run.data));
    EXPECT_CONTAINS(table, "search       1      1          1 s                2 s       1 s  4 s   100%");
    EXPECT_CONTAINS(table, "all jobs     1      1");
    EXPECT_EQ(costs_table({}), "");
}

TEST(StageCosts, OfARecordedRunAreComplete) {
    const RunData run = load_run(TESTS_DATA "/recorded");
    std::size_t cases = 0;
    std::size_t jobs = 0;
    for (const StageCosts& costs : stage_costs(run)) {
        cases += costs.cases;
        jobs += costs.jobs;
        EXPECT_GT(costs.timed_seconds, 0);
        EXPECT_GT(costs.other_seconds, 0);
    }
    EXPECT_EQ(cases, run.cases.size());
    EXPECT_EQ(jobs, static_cast<std::size_t>(
                        std::count_if(run.events.begin(), run.events.end(),
                                      [](const Json& event) { return event.at("event") == "job_started"; })));
}

// Contents of files are not trusted
TEST(StageCosts, IgnoreWhatIsNoTime) {
    RunData data;
    data.events = {{{"event", "job_started"}, {"token", "a"}, {"time", "today"}},
                   {{"event", "job_header"}, {"token", 3}},
                   {{"event", "job_ended"}, {"token", "a"}, {"how", 7}}};
    EXPECT_NO_THROW(costs_table(stage_costs(data)));
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "estimate.hpp"

#include <gtest/gtest.h>

#include "cluster_file.hpp"
#include "search.hpp"

namespace {

using namespace tuner;
using namespace tuner::commands;

class EstimateTest : public testing::Test {
  protected:
    EstimateTest() {
        cluster = cluster_from(
            CheckedJson(Json{{"hosts", {{{"name", "a"}, {"slots", 2}}, {{"name", "b"}, {"slots", 2}}}},
                             {"networks", Json::array({{{"name", "eth"}}})},
                             {"layouts", {{{"nodes", 2}, {"ppn", 1}}, {{"nodes", 2}, {"ppn", 2}}}}},
                        "test"));
        plan.name = "test";
        plan.collectives = {{"bcast", "", "", 8, 4096}};
    }

    Estimate now() const { return estimate(cluster, plan, run, messages); }

    // All of the grid, with calls of so many seconds
    void measure_grid(const Layout& layout, double seconds) {
        for (const std::size_t bytes : grid_of(plan, plan.collectives[0])) {
            ++run.last_group;
            for (const char* algorithm : {"default", "binomial"}) {
                CaseRecord record;
                record.group = run.last_group;
                record.network = "eth";
                record.layout = layout;
                record.collective = "bcast";
                record.algorithm = algorithm;
                record.bytes = bytes;
                record.samples_seconds.assign(20, seconds);
                run.cases.push_back(record);
            }
        }
    }

    Cluster cluster;
    Plan plan;
    RunData run;
    NetworkParameters messages;
};

TEST_F(EstimateTest, HasAllStages) {
    const Estimate all = now();
    ASSERT_EQ(all.measuring.size(), 3u);
    EXPECT_EQ(all.measuring[0].stage, "messages of two ranks");
    EXPECT_EQ(all.measuring[1].stage, "search on 2x1");
    EXPECT_EQ(all.measuring[2].stage, "search on 2x2");
    EXPECT_EQ(all.verification.stage, "verification");
    EXPECT_EQ(all.calls, CallBasis::assumed);
    EXPECT_FALSE(all.is_launch_measured);
    // four sizes with five algorithms and the default (four on 2x1), two between them with three each
    EXPECT_DOUBLE_EQ(all.measuring[1].cases, 4 * 5 + 2 * 3);
    EXPECT_DOUBLE_EQ(all.measuring[2].cases, 4 * 6 + 2 * 3);
    EXPECT_GT(all.measuring[2].seconds, 0.4 * all.measuring[2].cases * plan.case_seconds + 2);
    EXPECT_LT(all.measuring[2].seconds, 0.6 * all.measuring[2].cases * plan.case_seconds + 2);
    EXPECT_LT(all.measuring[2].grid_seconds, all.measuring[2].seconds);
    EXPECT_DOUBLE_EQ(all.seconds(), all.limited_seconds());
    plan.race = false;
    EXPECT_GT(now().measuring[2].seconds, all.measuring[2].cases * plan.case_seconds);
    EXPECT_LT(now().measuring[2].seconds, 1.5 * all.measuring[2].cases * plan.case_seconds + 2);
}

TEST_F(EstimateTest, GrowsWithThePlan) {
    const double seconds = now().measuring_seconds();
    const double search = now().measuring.back().seconds;
    plan.case_seconds *= 10;
    EXPECT_GT(now().measuring.back().seconds, 5 * search);
    plan.case_seconds /= 10;
    plan.exhaustive = true;
    EXPECT_GT(now().measuring.back().seconds, 3 * search);
    plan.exhaustive = false;
    plan.exchanges = exchanges_of_networks();
    EXPECT_EQ(now().measuring[1].stage, "exchanges of the plan");
    EXPECT_GT(now().measuring_seconds(), seconds + 60);
}

TEST_F(EstimateTest, FollowsTheMessages) {
    const double seconds = now().measuring.back().seconds;
    LinkParameters slow;
    slow.network = "eth";
    slow.link = Link::between_nodes;
    slow.one_way = {{1, 0.01}, {1 << 20, 1}};
    messages = {slow};
    EXPECT_EQ(now().calls, CallBasis::messages);
    EXPECT_GT(now().measuring.back().seconds, 1.5 * seconds);
}

TEST_F(EstimateTest, IsOfWhatIsMissing) {
    measure_grid({2, 1}, 1e-4);
    const Estimate rest = now();
    ASSERT_EQ(rest.measuring.size(), 2u);
    EXPECT_EQ(rest.measuring[1].stage, "search on 2x2");
}

TEST_F(EstimateTest, FollowsWhatWasMeasuredInTheRun) {
    measure_grid({2, 1}, 1e-4);
    std::erase_if(run.cases, [](const CaseRecord& record) { return record.bytes > 8; });
    const Estimate fast = now();
    EXPECT_EQ(fast.calls, CallBasis::cases);
    for (CaseRecord& record : run.cases) {
        record.samples_seconds.assign(20, 0.04);
    }
    EXPECT_GT(now().measuring[1].seconds, 1.5 * fast.measuring[1].seconds);
    EXPECT_DOUBLE_EQ(now().measuring[2].seconds, fast.measuring[2].seconds);
    run.events = {{{"event", "job_started"}, {"token", "a"}, {"time", 10}, {"last_group", 0}},
                  {{"event", "job_header"}, {"token", "a"}, {"time", 17}}};
    EXPECT_DOUBLE_EQ(now().launch_seconds, 7);
    EXPECT_TRUE(now().is_launch_measured);
}

TEST_F(EstimateTest, ALimitCutsTheSearchAndTheVerification) {
    const Estimate unlimited = now();
    plan.budget_seconds = 4;
    const Estimate limited = now();
    EXPECT_DOUBLE_EQ(limited.seconds(), unlimited.seconds());
    EXPECT_DOUBLE_EQ(limited.limited_seconds(), 4);
    EXPECT_NEAR(limited.measuring_budget_seconds, 0.65 * 4, 1e-9);
    plan.budget_seconds = 0.99 * unlimited.measuring_seconds() / 0.65;
    EXPECT_DOUBLE_EQ(now().limited_seconds(), plan.budget_seconds)
        << "a search that is cut short goes on with what the verification leaves";
    plan.budget_seconds = 1e6;
    EXPECT_DOUBLE_EQ(now().limited_seconds(), unlimited.seconds());
    const Estimate later = estimate(cluster, plan, run, messages, 1000);
    EXPECT_DOUBLE_EQ(later.budget_seconds, 1e6 - 1000);
}

TEST_F(EstimateTest, CountsLayoutsThatWillBeChosen) {
    EXPECT_EQ(now().more_layouts, 0);
    const double seconds = now().seconds();
    cluster.chooses_layouts = true;
    EXPECT_GT(now().more_layouts, 0);
    EXPECT_EQ(now().measuring.back().stage.substr(0, 15), "search on up to");
    EXPECT_GT(now().seconds(), seconds);
}

TEST_F(EstimateTest, OfKnownRulesCountsTheirSizes) {
    measure_grid({2, 1}, 1e-4);
    Config config;
    EXPECT_EQ(verification_estimate(config, run, plan, 1).rules, 0);
    Rule rule;
    rule.network = "eth";
    rule.where = LayoutRange::exactly({2, 1});
    rule.collective = "bcast";
    rule.algorithm = "ring";
    rule.from_bytes = 8;
    rule.to_bytes = 4096;
    rule.basis = "measured";
    config.rules = {rule};
    const StageEstimate one = verification_estimate(config, run, plan, 1);
    EXPECT_EQ(one.rules, 1);
    EXPECT_GE(one.seconds, 3) << "three launches";
    config.rules.push_back(rule);
    EXPECT_DOUBLE_EQ(verification_estimate(config, run, plan, 1).seconds, 2 * one.seconds);
    CaseRecord verified = run.cases.front();
    verified.stage = Stage::verify;
    verified.algorithm = "ring";
    verified.bytes = 8;
    run.cases.push_back(verified);
    EXPECT_LT(verification_estimate(config, run, plan, 1).seconds, 2 * one.seconds);
}

}  // namespace

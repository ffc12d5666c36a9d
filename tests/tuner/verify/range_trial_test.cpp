// SPDX-License-Identifier: MIT
// Rules for ranges of layouts, in a library where the rule's algorithm takes a known time on each layout.
#include "range_trial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace {

using namespace tuner;

struct Library {
    std::function<double(const Layout&, std::size_t)> seconds;  // the default takes 1
    double noise = 0.02;
    std::size_t requests_left = 100000;
    std::mt19937_64 random{5};
    std::set<Layout> asked = {};

    std::vector<CaseRecord> operator()(const PairRequest& request) {
        if (requests_left == 0) {
            return {};
        }
        --requests_left;
        asked.insert(request.cell.layout);
        std::normal_distribution<double> normal;
        std::vector<CaseRecord> records(2);
        for (std::size_t a = 0; a < 2; ++a) {
            records[a].algorithm = records[a].used = request.algorithms[a];
            for (int i = 0; i < 10; ++i) {
                records[a].samples_seconds.push_back(
                    (a == 0 ? 1 : seconds(request.cell.layout, request.bytes)) *
                    std::exp(noise * normal(random)));
            }
        }
        return records;
    }
};

Rule ranged() {
    Rule rule;
    rule.network = "eth";
    rule.collective = "bcast";
    rule.algorithm = "smp";
    rule.where = {{2, 8}, {2, 4}, {}, {}};
    rule.from_bytes = 64;
    rule.to_bytes = 65536;
    rule.basis = "between";
    return rule;
}

const std::vector<HeldOutLayout> three = {
    {{2, 3}, {64, 1024, 65536}}, {{5, 2}, {64, 1024, 65536}}, {{8, 3}, {64, 1024, 65536}}};

Judgement judged(Library& library, const std::vector<HeldOutLayout>& tests = three, bool is_last = true,
                 double p_limit = 0.001) {
    RangeTrial trial = range_trial(ranged(), tests);
    run_jobs(trial, std::ref(library), fewest_jobs);
    return judge(trial, {}, 0.02, p_limit, is_last);
}

TEST(RangeTrial, HoldsIfItGainsAtEveryLayout) {
    Library library{[](const Layout& layout, std::size_t) { return layout.nodes == 5 ? 0.7 : 0.8; }};
    const Judgement result = judged(library);
    ASSERT_EQ(result.verdict, Verdict::holds) << result.note;
    EXPECT_EQ(result.note, "");
    EXPECT_EQ(result.rule.where, ranged().where);
    EXPECT_EQ(result.rule.tested_layouts, 3);
    EXPECT_EQ(result.rule.tested_cells, 9);
    EXPECT_NEAR(result.rule.verified_gain, 0.31, 0.04);
    EXPECT_LT(result.rule.verified_interval.low, result.rule.verified_gain);
    EXPECT_EQ(library.asked.size(), 3u);
}

TEST(RangeTrial, IsCutWhereItLosesOnOneSideOfTheRange) {
    Library library{[](const Layout& layout, std::size_t) { return layout.nodes > 6 ? 1.3 : 0.7; }};
    RangeTrial trial = range_trial(ranged(), three);
    run_jobs(trial, std::ref(library), most_jobs);
    const Judgement result = judge(trial, {}, 0.02, 0.001, true);
    ASSERT_EQ(result.verdict, Verdict::holds) << result.note;
    EXPECT_EQ(result.rule.where.nodes, (CountRange{2, 7}));
    EXPECT_EQ(result.rule.where.ppn, ranged().where.ppn);
    EXPECT_EQ(result.rule.tested_layouts, 2);
    EXPECT_NE(result.note.find("narrowed to 2 to 7 nodes"), std::string::npos) << result.note;
}

TEST(RangeTrial, IsCutAtTheSizesThatHoldEverywhere) {
    Library library{[](const Layout& layout, std::size_t bytes) {
        return layout.nodes == 5 && bytes > 60000 ? 1.2 : 0.7;
    }};
    const Judgement result = judged(library);
    ASSERT_EQ(result.verdict, Verdict::holds) << result.note;
    EXPECT_EQ(result.rule.where, ranged().where);
    EXPECT_EQ(result.rule.from_bytes, 64u);
    EXPECT_EQ(result.rule.to_bytes, 1024u);
}

TEST(RangeTrial, IsForOneMappingIfItLosesInTheOther) {
    Library library{
        [](const Layout& layout, std::size_t) { return layout.mapping == Mapping::round_robin ? 1.4 : 0.7; }};
    std::vector<HeldOutLayout> tests = three;
    tests.push_back({{4, 2, Mapping::round_robin}, {64, 1024}});
    RangeTrial trial = range_trial(ranged(), tests);
    run_jobs(trial, std::ref(library), 4);
    const Judgement result = judge(trial, {}, 0.02, 0.001, true);
    ASSERT_EQ(result.verdict, Verdict::holds) << result.note;
    EXPECT_EQ(result.rule.where.mapping, Mapping::block);
    EXPECT_EQ(result.rule.where.nodes, ranged().where.nodes);
}

TEST(RangeTrial, IsForFullNodesIfItLosesOnOthers) {
    Library library{[](const Layout& layout, std::size_t) { return layout.is_even() ? 0.7 : 1.4; }};
    Rule rule = ranged();
    rule.where.uneven = true;
    std::vector<HeldOutLayout> tests = three;
    tests.push_back({{4, 2, Mapping::block, 1}, {64, 1024}});
    RangeTrial trial = range_trial(rule, tests);
    run_jobs(trial, std::ref(library), 4);
    const Judgement result = judge(trial, {}, 0.02, 0.001, true);
    ASSERT_EQ(result.verdict, Verdict::holds) << result.note;
    EXPECT_FALSE(result.rule.where.uneven);
    EXPECT_EQ(result.rule.where.nodes, rule.where.nodes);
}

// 4x3-1 is in the range of 2 to 4 ranks on a node whether or not nodes must be full
TEST(RangeTrial, ACutLeavesOutTheLayoutThatFailed) {
    Library library{[](const Layout& layout, std::size_t) { return layout.is_even() ? 0.7 : 1.4; }};
    Rule rule = ranged();
    rule.where.uneven = true;
    std::vector<HeldOutLayout> tests = three;
    const Layout failing = {4, 3, Mapping::block, 1};
    tests.push_back({failing, {64, 1024}});
    RangeTrial trial = range_trial(rule, tests);
    run_jobs(trial, std::ref(library), 4);
    const Judgement result = judge(trial, {}, 0.02, 0.001, true);
    EXPECT_FALSE(result.verdict == Verdict::holds && result.rule.where.holds(failing));
    EXPECT_TRUE(result.rule.where.uneven) << "full nodes would not help";
}

TEST(RangeTrial, IsDroppedIfItGainsNowhere) {
    for (const double seconds : {1.0, 1.2}) {
        Library library{[&](const Layout&, std::size_t) { return seconds; }};
        const Judgement result = judged(library);
        EXPECT_EQ(result.verdict, Verdict::dropped);
        EXPECT_NE(result.note.find("was dropped: no gain of more than 2% on"), std::string::npos)
            << result.note;
    }
}

TEST(RangeTrial, NeedsThreeJobsAndSomewhereToTest) {
    Library library{[](const Layout&, std::size_t) { return 0.5; }};
    library.requests_left = 4;  // the time is up
    EXPECT_NE(judged(library).note.find("measured in 2 of 3 jobs"), std::string::npos);
    EXPECT_NE(judged(library, {}).note.find("no layout is left"), std::string::npos);
}

TEST(RangeTrial, OneLayoutIsTestedInSeveralJobs) {
    Library library{[](const Layout&, std::size_t) { return 0.7; }};
    const Judgement result = judged(library, {three[0]});
    ASSERT_EQ(result.verdict, Verdict::holds) << result.note;
    EXPECT_EQ(result.rule.tested_layouts, 1);
}

TEST(RangeTrial, AGainWithinNoiseIsLookedAtAgain) {
    Library library{[](const Layout& layout, std::size_t) { return layout.nodes == 5 ? 0.6 : 0.96; }};
    EXPECT_EQ(judged(library, three, false, 1e-6).verdict, Verdict::undecided);
    EXPECT_EQ(judged(library, three, true, 1e-6).verdict, Verdict::dropped);
}

}  // namespace

// SPDX-License-Identifier: MIT
// Rules for ranges of layouts, in a library where the rule's algorithm takes a known time on each layout.
#include "range_trial.hpp"

#include <gtest/gtest.h>

#include "layout_library.hpp"

namespace {

using namespace tuner;

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

void run(RangeTrial& trial, LayoutLibrary& library, std::size_t jobs) {
    RangeTrial* const only = &trial;
    run_jobs({&only, 1}, std::ref(library), jobs);
}

Judgement judged(LayoutLibrary& library, const std::vector<HeldOutLayout>& tests = three, bool is_last = true,
                 double p_limit = 0.001) {
    RangeTrial trial = range_trial(ranged(), tests);
    run(trial, library, fewest_jobs);
    return judge(trial, {}, 0.02, p_limit, is_last);
}

TEST(RangeTrial, HoldsIfItGainsAtEveryLayout) {
    LayoutLibrary library{[](const Layout& layout, std::size_t) { return layout.nodes == 5 ? 0.7 : 0.8; }};
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
    LayoutLibrary library{[](const Layout& layout, std::size_t) { return layout.nodes > 6 ? 1.3 : 0.7; }};
    RangeTrial trial = range_trial(ranged(), three);
    run(trial, library, most_jobs);
    const Judgement result = judge(trial, {}, 0.02, 0.001, true);
    ASSERT_EQ(result.verdict, Verdict::holds) << result.note;
    EXPECT_EQ(result.rule.where.nodes, (CountRange{2, 7}));
    EXPECT_EQ(result.rule.where.ppn, ranged().where.ppn);
    EXPECT_EQ(result.rule.tested_layouts, 2);
    EXPECT_NE(result.note.find("narrowed to 2 to 7 nodes"), std::string::npos) << result.note;
}

TEST(RangeTrial, IsCutAtTheSizesThatHoldEverywhere) {
    LayoutLibrary library{[](const Layout& layout, std::size_t bytes) {
        return layout.nodes == 5 && bytes > 60000 ? 1.2 : 0.7;
    }};
    const Judgement result = judged(library);
    ASSERT_EQ(result.verdict, Verdict::holds) << result.note;
    EXPECT_EQ(result.rule.where, ranged().where);
    EXPECT_EQ(result.rule.from_bytes, 64u);
    EXPECT_EQ(result.rule.to_bytes, 1024u);
}

TEST(RangeTrial, IsForOneMappingIfItLosesInTheOther) {
    LayoutLibrary library{
        [](const Layout& layout, std::size_t) { return layout.mapping == Mapping::round_robin ? 1.4 : 0.7; }};
    std::vector<HeldOutLayout> tests = three;
    tests.push_back({{4, 2, Mapping::round_robin}, {64, 1024}});
    RangeTrial trial = range_trial(ranged(), tests);
    run(trial, library, 4);
    const Judgement result = judge(trial, {}, 0.02, 0.001, true);
    ASSERT_EQ(result.verdict, Verdict::holds) << result.note;
    EXPECT_EQ(result.rule.where.mapping, Mapping::block);
    EXPECT_EQ(result.rule.where.nodes, ranged().where.nodes);
}

TEST(RangeTrial, IsForFullNodesIfItLosesOnOthers) {
    LayoutLibrary library{[](const Layout& layout, std::size_t) { return layout.is_even() ? 0.7 : 1.4; }};
    Rule rule = ranged();
    rule.where.uneven = true;
    std::vector<HeldOutLayout> tests = three;
    tests.push_back({{4, 2, Mapping::block, 1}, {64, 1024}});
    RangeTrial trial = range_trial(rule, tests);
    run(trial, library, 4);
    const Judgement result = judge(trial, {}, 0.02, 0.001, true);
    ASSERT_EQ(result.verdict, Verdict::holds) << result.note;
    EXPECT_FALSE(result.rule.where.uneven);
    EXPECT_EQ(result.rule.where.nodes, rule.where.nodes);
}

// 4x3-1 is in the range of 2 to 4 ranks on a node whether or not nodes must be full
TEST(RangeTrial, ACutLeavesOutTheLayoutThatFailed) {
    LayoutLibrary library{[](const Layout& layout, std::size_t) { return layout.is_even() ? 0.7 : 1.4; }};
    Rule rule = ranged();
    rule.where.uneven = true;
    std::vector<HeldOutLayout> tests = three;
    const Layout failing = {4, 3, Mapping::block, 1};
    tests.push_back({failing, {64, 1024}});
    RangeTrial trial = range_trial(rule, tests);
    run(trial, library, 4);
    const Judgement result = judge(trial, {}, 0.02, 0.001, true);
    EXPECT_FALSE(result.verdict == Verdict::holds && result.rule.where.holds(failing));
    EXPECT_TRUE(result.rule.where.uneven) << "full nodes would not help";
}

TEST(RangeTrial, IsDroppedIfItGainsNowhere) {
    for (const double seconds : {1.0, 1.2}) {
        LayoutLibrary library{[&](const Layout&, std::size_t) { return seconds; }};
        const Judgement result = judged(library);
        EXPECT_EQ(result.verdict, Verdict::dropped);
        EXPECT_NE(result.note.find("was dropped: no gain of more than 2% on"), std::string::npos)
            << result.note;
    }
}

TEST(RangeTrial, NeedsThreeJobsAndSomewhereToTest) {
    LayoutLibrary library{[](const Layout&, std::size_t) { return 0.5; }};
    library.requests_left = 4;  // the time is up
    EXPECT_NE(judged(library).note.find("measured in 2 of 3 jobs"), std::string::npos);
    EXPECT_NE(judged(library, {}).note.find("no layout is left"), std::string::npos);
}

TEST(RangeTrial, OneLayoutIsTestedInSeveralJobs) {
    LayoutLibrary library{[](const Layout&, std::size_t) { return 0.7; }};
    const Judgement result = judged(library, {three[0]});
    ASSERT_EQ(result.verdict, Verdict::holds) << result.note;
    EXPECT_EQ(result.rule.tested_layouts, 1);
}

// Three rules at the same layouts: three jobs, and not always the same rule comes first
TEST(RangeTrial, RulesShareTheJobsOfALayout) {
    LayoutLibrary library{[](const Layout&, std::size_t) { return 0.7; }};
    std::vector<RangeTrial> trials;
    for (const char* algorithm : {"smp", "ring", "binomial"}) {
        Rule rule = ranged();
        rule.algorithm = algorithm;
        trials.push_back(range_trial(rule, three));
    }
    std::vector<RangeTrial*> all = {&trials[0], &trials[1], &trials[2]};
    run_jobs(all, std::ref(library), fewest_jobs);
    EXPECT_EQ(library.jobs, 3u);
    ASSERT_EQ(library.requests.size(), 27u);
    std::set<std::string> first;
    for (std::size_t job = 0; job < 3; ++job) {
        for (std::size_t i = 0; i < 9; ++i) {
            const PairRequest& request = library.requests[9 * job + i];
            EXPECT_TRUE(request.shares_job);
            EXPECT_EQ(request.is_first, i % 3 == 0) << "smallest size of its rule";
            EXPECT_EQ(request.cell.layout, three[job].layout);
        }
        first.insert(library.requests[9 * job].algorithms[1]);
    }
    EXPECT_EQ(first, (std::set<std::string>{"smp", "binomial"}));
    for (const RangeTrial& trial : trials) {
        EXPECT_EQ(judge(trial, {}, 0.02, 0.001, true).verdict, Verdict::holds);
    }
}

TEST(RangeTrial, AGainWithinNoiseIsLookedAtAgain) {
    LayoutLibrary library{[](const Layout& layout, std::size_t) { return layout.nodes == 5 ? 0.6 : 0.96; }};
    EXPECT_EQ(judged(library, three, false, 1e-6).verdict, Verdict::undecided);
    EXPECT_EQ(judged(library, three, true, 1e-6).verdict, Verdict::dropped);
}

}  // namespace

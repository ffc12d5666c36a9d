// SPDX-License-Identifier: MIT
// Made-up times of two ranks: which repetitions count.
#include "judge.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

constexpr double tolerance = 1e-6;
constexpr double window = 1e-3;

class JudgeOf : public testing::Test {
  protected:
    JudgeOf() {
        group.pattern = find_pattern("bcast");
        group.algorithms = {"a", "b"};
        settings.limits = {1000, 1000, 10};
    }

    // Adds a repetition of a case; the second rank begins so much after the common start
    void add(std::size_t case_index, bool in_pair, double seconds, double late = 0) {
        const double start = window * static_cast<double>(repetitions.size());
        repetitions.push_back({case_index, in_pair, 0, start, window});
        of_rank[0].insert(of_rank[0].end(), {start, start + seconds / 2});
        of_rank[1].insert(of_rank[1].end(), {start + late, start + seconds});
    }
    void add_pair(double seconds_a, double seconds_b, double late_b = 0) {
        add(0, true, seconds_a);
        add(1, true, seconds_b, late_b);
    }
    Judge made(bool windows) const { return Judge(settings, group, {windows, tolerance}, 2); }
    void judge(bool windows = true) {
        const Judge judge = made(windows);
        for (RunningCase& c : cases) {
            judge.start_afresh(c);
        }
        Judge::Times times = of_rank[0];
        times.insert(times.end(), of_rank[1].begin(), of_rank[1].end());
        judge.add(repetitions, times, cases);
    }
    std::vector<double> microseconds(std::size_t case_index) const {
        std::vector<double> rounded;
        for (const double seconds : seconds_of(cases[case_index].result)) {
            rounded.push_back(std::round(1e9 * seconds) / 1e3);
        }
        return rounded;
    }

    GroupSpec group = {};
    Settings settings;
    std::vector<RunningCase> cases{2};
    std::vector<PlannedRepetition> repetitions;
    std::vector<double> of_rank[2];
};

TEST_F(JudgeOf, ALateStartIsInvalid) {
    add(0, false, 10e-6);
    add(1, false, 20e-6, 5e-6);
    add(1, false, 21e-6);
    judge();
    EXPECT_EQ(microseconds(0), std::vector<double>{10});
    EXPECT_EQ(microseconds(1), std::vector<double>{21});
    EXPECT_EQ(cases[0].result.invalid, 0);
    EXPECT_EQ(cases[1].result.invalid, 1);
    EXPECT_NEAR(cases[1].result.seconds, 2 * window, 1e-12) << "its time is spent";
}

TEST_F(JudgeOf, ALateMemberDropsItsPartner) {
    group.order = Order::pairs;
    add_pair(10e-6, 20e-6);
    add_pair(11e-6, 21e-6, 5e-6);
    add_pair(12e-6, 22e-6);
    judge();
    EXPECT_EQ(microseconds(0), (std::vector<double>{10, 12}));
    EXPECT_EQ(microseconds(1), (std::vector<double>{20, 22}));
    EXPECT_EQ(cases[0].result.invalid, 1);
    EXPECT_EQ(cases[1].result.invalid, 1);
    EXPECT_TRUE(repetitions[3].is_late);
    EXPECT_FALSE(repetitions[2].is_late) << "so that its window is not widened";
}

TEST_F(JudgeOf, MembersOfAPairHaveTheSameNumberOfTimes) {
    group.order = Order::pairs;
    settings.limits = {1000, 1000, 45e-6};
    for (int i = 0; i < 8; ++i) {
        add_pair(10e-6, 20e-6);
    }
    judge(false);
    EXPECT_EQ(microseconds(1), (std::vector<double>{20, 20, 20})) << "the slower one reaches the limit";
    EXPECT_EQ(microseconds(0), (std::vector<double>{10, 10, 10}));
    EXPECT_EQ(cases[0].result.ended, models::Ended::time);
    EXPECT_EQ(cases[1].result.ended, models::Ended::time);
}

TEST_F(JudgeOf, APreciseMemberGoesOnWithItsPartner) {
    group.order = Order::pairs;
    settings.limits = {10, 30, 10};
    settings.precision = 0.02;
    for (int i = 0; i < 40; ++i) {
        add_pair(10e-6, i % 2 == 0 ? 10e-6 : 30e-6);
    }
    judge(false);
    EXPECT_EQ(microseconds(0).size(), 30U);
    EXPECT_EQ(microseconds(1).size(), 30U);
    EXPECT_EQ(cases[1].result.ended, models::Ended::repetitions);
}

TEST_F(JudgeOf, AMemberWithoutPartnerIsMeasuredAlone) {
    group.order = Order::pairs;
    settings.limits = {2, 2, 10};
    cases[1].result.status = Status::refused;
    add_pair(10e-6, 20e-6, 5e-6);
    add_pair(11e-6, 20e-6);
    judge();
    EXPECT_EQ(microseconds(0), (std::vector<double>{10, 11}));
    EXPECT_TRUE(microseconds(1).empty());
}

TEST_F(JudgeOf, TheTimeIsThatOfOneOfTheCallsInARow) {
    group.calls_in_a_row = 10;
    add(0, false, 200e-6);
    judge(false);
    EXPECT_EQ(microseconds(0), std::vector<double>{20});
    EXPECT_NEAR(cases[0].result.seconds, 200e-6, 1e-12) << "but so much time is spent";
}

TEST_F(JudgeOf, TheSkewOfAStartIsKeptOnlyAfterABarrier) {
    add(0, false, 20e-6, 3e-6);
    add(0, false, 20e-6, 5e-6);
    add(0, false, 20e-6, 4e-6);
    judge(false);
    ASSERT_TRUE(median_start_skew(cases[0].result));
    EXPECT_NEAR(*median_start_skew(cases[0].result), 4e-6, 1e-12);
    cases = std::vector<RunningCase>(2);
    repetitions.clear();
    of_rank[0].clear();
    of_rank[1].clear();
    add(0, false, 20e-6, 0.5e-6);
    judge(true);
    EXPECT_FALSE(median_start_skew(cases[0].result));
}

TEST_F(JudgeOf, ATimeIsFromTheLastArrivalToTheLastFinish) {
    group.arrival = {models::parse_arrivals("one-late:0.5"), 0, {0, 0}};
    for (const double late : {0.0, 5e-6}) {
        add(0, false, 30e-6, 10e-6 + late);
        repetitions.back().arrival_unit = 20e-6;
    }
    judge();
    EXPECT_EQ(microseconds(0), std::vector<double>{20}) << "its last rank was to arrive after 10";
    EXPECT_NEAR(median_waiting(cases[0].result), 15e-6 + 20e-6, 1e-12);
    EXPECT_EQ(cases[0].result.invalid, 1) << "later than its delay";
    EXPECT_TRUE(repetitions[1].is_late);
    EXPECT_NEAR(*median_start_skew(cases[0].result), 0, 1e-12) << "both ranks kept to the pattern";
}

TEST_F(JudgeOf, AfterABarrierTheSkewIsThatWithoutTheDelays) {
    group.arrival = {models::parse_arrivals("one-late"), 0, {0, 0}};
    add(0, false, 50e-6, 23e-6);
    repetitions.back().arrival_unit = 20e-6;
    judge(false);
    EXPECT_EQ(microseconds(0), std::vector<double>{30});
    EXPECT_NEAR(*median_start_skew(cases[0].result), 3e-6, 1e-12);
    EXPECT_FALSE(is_blurred(cases[0].result, 20e-6));
    EXPECT_TRUE(is_blurred(cases[0].result, 10e-6)) << "3 us are more than a fifth";
}

TEST_F(JudgeOf, LateStartsAreGivenUpWhereRanksShareCores) {
    for (int i = 0; i < 24; ++i) {
        add(0, false, 20e-6, i == 0 ? 0 : 5e-6);
        add(1, false, 20e-6, i < 3 ? 0 : 5e-6);
    }
    judge();
    made(true).give_up_late(cases);
    EXPECT_EQ(cases[0].result.status, Status::measured) << "each rank has a core";
    const Judge judge(settings, group, {true, tolerance, false, "use --start barrier"}, 2);
    judge.give_up_late(cases);
    EXPECT_EQ(cases[0].result.status, Status::refused);
    EXPECT_EQ(cases[0].result.reason,
              "ranks start late: 23 of 24 starts were more than 1.0 us late; use --start barrier");
    EXPECT_TRUE(cases[0].result.starts_late);
    EXPECT_FALSE(cases[0].active);
    EXPECT_EQ(cases[1].result.status, Status::measured) << "21 of 24 are not nearly all";
}

TEST_F(JudgeOf, AFewLateStartsAreNotGivenUpAtOnce) {
    for (int i = 0; i < 8; ++i) {
        add(0, false, 20e-6, 5e-6);
    }
    judge();
    Judge(settings, group, {true, tolerance, false, ""}, 2).give_up_late(cases);
    EXPECT_EQ(cases[0].result.status, Status::measured);
}

TEST_F(JudgeOf, WindowsOfAPairAreEqual) {
    cases[0].window = window;
    cases[1].window = 3 * window;
    made(true).equalize_windows(cases);
    EXPECT_EQ(cases[0].window, window);
    group.order = Order::pairs;
    made(true).equalize_windows(cases);
    EXPECT_EQ(cases[0].window, 3 * window);
    EXPECT_EQ(cases[1].window, 3 * window);
}

TEST_F(JudgeOf, WindowsAreWidenedOnlyIfCallsAreLongerThanTheirs) {
    for (RunningCase& c : cases) {
        c.window = window;
    }
    for (int i = 0; i < 8; ++i) {
        add(0, false, 20e-6, 5e-6);
    }
    judge();
    made(true).widen_windows(repetitions, cases);
    EXPECT_EQ(cases[0].window, window) << "the rank was late by itself";
    repetitions.clear();
    of_rank[0].clear();
    of_rank[1].clear();
    for (int i = 0; i < 8; ++i) {
        add(0, false, 1.2 * window, i == 0 ? 0 : 0.2 * window);
    }
    judge();
    made(true).widen_windows(repetitions, cases);
    EXPECT_DOUBLE_EQ(cases[0].window, 1.3 * window);
    EXPECT_DOUBLE_EQ(cases[1].window, 1.3 * window) << "it may come after a long call";
}

TEST_F(JudgeOf, WhatIsSlowerLeavesARace) {
    settings.race = 0.01;
    cases[0].algorithm = "default";
    for (int k = 0; k < 4; ++k) {
        add(0, false, (10 + 0.1 * k) * 1e-6);
        add(1, false, (30 - 0.2 * k) * 1e-6);
    }
    judge();
    made(true).race(cases);
    EXPECT_EQ(cases[0].result.ended, models::Ended::decided) << "nothing is left to be told apart";
    EXPECT_EQ(cases[1].result.ended, models::Ended::decided);
    judge();  // the clocks were measured again: it has left, and its repetitions count
    EXPECT_EQ(cases[1].result.ended, models::Ended::decided);
    EXPECT_EQ(cases[1].result.repetitions.size(), 4u);
}

TEST_F(JudgeOf, CallsThatAreLongerThanTheLimitAreRepeatedAFewTimes) {
    settings.limits = {1000, 1000, window / 4};
    for (const models::Ended ended : {models::Ended::not_yet, models::Ended::not_yet, models::Ended::time}) {
        add(0, false, 10e-6);
        judge();
        EXPECT_EQ(cases[0].result.ended, ended) << repetitions.size();
    }
}

TEST_F(JudgeOf, LateStartsAgainAndAgainEndACaseAtTwiceTheLimit) {
    settings.limits = {1000, 1000, 1.5 * window};
    for (int k = 0; k < 3; ++k) {
        add(0, false, 10e-6, 5e-6);
    }
    judge();
    EXPECT_EQ(cases[0].result.ended, models::Ended::not_yet);
    add(0, false, 10e-6, 5e-6);
    judge();
    EXPECT_EQ(cases[0].result.ended, models::Ended::time);
}

}  // namespace

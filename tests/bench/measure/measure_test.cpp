// SPDX-License-Identifier: MIT
// What must never become a number: a call that ran another algorithm, or whose result is wrong.
#include "measure.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <set>
#include <thread>

namespace {

using namespace bench;

// The real library, but its switch does what `sabotage` says
class SabotagedLibrary : public Library {
  public:
    using Sabotage = std::function<std::string(const std::string& wanted, int number_of_choice)>;
    SabotagedLibrary(MPI_Comm comm, Sabotage sabotage)
        : real_(make_library(comm)), sabotage_(std::move(sabotage)) {}

    std::string version() const override { return real_->version(); }
    bool can_switch() const override { return true; }
    std::vector<std::string> algorithms(const Pattern& pattern) override {
        return real_->algorithms(pattern);
    }
    std::optional<std::string> refusal(const PlannedCall& call, const std::string& algorithm) override {
        return real_->refusal(call, algorithm);
    }
    MPI_Comm choose(const Pattern& pattern, const std::string& algorithm) override {
        return real_->choose(pattern, sabotage_(algorithm, ++choices_));
    }
    std::string last_used(const Pattern& pattern) const override { return real_->last_used(pattern); }

  private:
    std::unique_ptr<Library> real_;
    Sabotage sabotage_;
    int choices_ = 0;
};

class MeasurementOf : public testing::Test {
  protected:
    std::vector<CaseResult> run(Library& library, const Pattern& pattern,
                                const std::vector<std::string>& algorithms) {
        Settings settings;
        settings.start = StartMode::barrier;
        settings.limits = {20, 20, 10};
        Measurement measurement(MPI_COMM_WORLD, global_, library, settings, false);
        return measurement.run({&pattern, 4096, algorithms, &find_elements("byte", "sum")});
    }
    int rank() const {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        return rank;
    }

    Clock clock_{ClockSource::monotonic_raw};
    GlobalClock global_{MPI_COMM_WORLD, clock_, SyncMethod::shared};
};

const Pattern& bcast_pattern() {
    return *find_pattern("bcast");
}

TEST_F(MeasurementOf, AnHonestLibraryIsMeasured) {
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string& wanted, int) { return wanted; });
    const auto results =
        run(library, bcast_pattern(), {default_algorithm, "binomial", "scatter_ring_allgather"});
    for (const CaseResult& result : results) {
        EXPECT_EQ(result.status, Status::measured) << result.reason;
        EXPECT_EQ(result.repetitions.size(), rank() == 0 ? 20U : 0U) << "only rank 0 has results";
    }
    EXPECT_EQ(results[2].used_algorithm, "scatter_ring_allgather");
}

TEST_F(MeasurementOf, ASwitchThatDoesNothingIsCaught) {
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string&, int) { return default_algorithm; });
    const auto results = run(library, bcast_pattern(), {"scatter_ring_allgather"});
    EXPECT_EQ(results[0].status, Status::wrong_algorithm);
    EXPECT_TRUE(results[0].repetitions.empty());
    EXPECT_NE(results[0].reason.find(" instead of scatter_ring_allgather"), std::string::npos)
        << results[0].reason;
}

TEST_F(MeasurementOf, ASwitchThatFailsInMidRunIsCaught) {
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string& wanted, int number) {
        return number == 12 ? std::string("scatter_ring_allgather") : wanted;
    });
    const auto results = run(library, bcast_pattern(), {"binomial"});
    EXPECT_EQ(results[0].status, Status::wrong_algorithm);
}

TEST_F(MeasurementOf, AWrongResultIsCaught) {
    Pattern broken = *find_pattern("allreduce");
    broken.call = [](const Arguments& a) {
        MPI_Allreduce(a.send, a.receive, a.count, a.datatype, a.operation, a.comm);
        static_cast<unsigned char*>(a.receive)[a.count / 2] ^= 1;
    };
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string& wanted, int) { return wanted; });
    const auto results = run(library, broken, {default_algorithm});
    EXPECT_EQ(results[0].status, Status::wrong_result);
    EXPECT_TRUE(results[0].repetitions.empty());

    Settings unchecked;
    unchecked.start = StartMode::dissemination;
    unchecked.limits = {5, 5, 10};
    unchecked.check_results = false;
    Measurement measurement(MPI_COMM_WORLD, global_, library, unchecked, false);
    const auto measured = measurement.run({.pattern = &broken,
                                           .bytes = 4096,
                                           .algorithms = {default_algorithm},
                                           .elements = &find_elements("byte", "sum")});
    EXPECT_EQ(measured[0].status, Status::measured) << "who says that results are known to be right";
}

// Rank 0 alone calls at the same time as the others
TEST_F(MeasurementOf, WhatIsWrongInAnotherCommunicatorIsCaught) {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank() > 0, rank(), &part);
    {
        SabotagedLibrary library(part, [](const std::string& wanted, int) { return wanted; });
        Caller caller = {part, &library, 0, 0};
        MPI_Comm_rank(part, &caller.rank);
        MPI_Comm_size(part, &caller.ranks);
        Settings settings;
        settings.start = StartMode::barrier;
        settings.limits = {5, 5, 10};
        Measurement measurement(MPI_COMM_WORLD, global_, caller, settings, false);
        Pattern pattern = *find_pattern("allreduce");
        GroupSpec group = {&pattern, 64, {default_algorithm}, &find_elements("byte", "sum")};
        const auto right = measurement.run(group);
        EXPECT_EQ(right[0].status, Status::measured) << right[0].reason;
        EXPECT_EQ(right[0].repetitions.size(), rank() == 0 ? 5U : 0U);

        pattern.call = [](const Arguments& a) {
            MPI_Allreduce(a.send, a.receive, a.count, a.datatype, a.operation, a.comm);
            static_cast<unsigned char*>(a.receive)[0] ^= a.rank == 1;  // only a part of several ranks has one
        };
        EXPECT_EQ(measurement.run(group)[0].status, Status::wrong_result) << "rank " << rank();

        group.algorithms = {rank() == 0 ? default_algorithm : "no such algorithm"};
        const auto refused = measurement.run(group);
        EXPECT_EQ(refused[0].status, Status::refused) << "rank " << rank();
        EXPECT_EQ(refused[0].reason == "refused on another of the communicators", rank() == 0);
    }
    MPI_Comm_free(&part);
}

TEST_F(MeasurementOf, PairsAreNeighboursAndEndTogether) {
    static std::vector<std::size_t> called;  // by their place in the table of the pattern's own algorithms
    called.clear();
    Pattern noted = bcast_pattern();
    noted.variants = {"first", "second"};
    noted.call = [](const Arguments& a) {
        MPI_Bcast(a.receive, a.count, a.datatype, a.root, a.comm);
        called.push_back(a.variant);
    };
    Settings settings;
    settings.start = StartMode::dissemination;
    settings.limits = {5, 21, 10};
    settings.warm_up = 1;
    settings.precision = 0.2;
    SabotagedLibrary library(MPI_COMM_WORLD,
                             [](const std::string&, int) { return std::string(default_algorithm); });
    Measurement measurement(MPI_COMM_WORLD, global_, library, settings, false);
    const auto results = measurement.run({.pattern = &noted,
                                          .bytes = 4096,
                                          .algorithms = {"first", "second"},
                                          .elements = &find_elements("byte", "sum"),
                                          .order = Order::pairs});
    ASSERT_EQ(results[0].status, Status::measured) << results[0].reason;
    ASSERT_EQ(results[1].status, Status::measured) << results[1].reason;
    EXPECT_EQ(results[0].repetitions.size(), results[1].repetitions.size());
    EXPECT_EQ(results[0].repetitions.empty(), rank() != 0);
    called.erase(called.begin(), called.begin() + 2);
    ASSERT_EQ(called.size() % 2, 0U) << "whole pairs";
    for (std::size_t i = 0; i < called.size(); i += 2) {
        EXPECT_NE(called[i], called[i + 1]) << i;
    }
}

TEST_F(MeasurementOf, NoMoreCallsAreMadeThanCanCount) {
    static int calls;
    Pattern counted = bcast_pattern();
    counted.variants = {"first", "second"};
    counted.call = [](const Arguments& a) {
        MPI_Bcast(a.receive, a.count, a.datatype, a.root, a.comm);
        ++calls;
    };
    SabotagedLibrary library(MPI_COMM_WORLD,
                             [](const std::string&, int) { return std::string(default_algorithm); });
    constexpr struct {
        Order order;
        std::size_t repetitions;
        int calls;  // of both
    } rows[] = {{Order::pairs, 2, 4},
                {Order::pairs, 10, 20},
                {Order::pairs, 11, 24},
                {Order::random, 10, 20},
                {Order::random, 1, 2}};
    for (const auto& row : rows) {
        Settings settings;
        settings.start = StartMode::dissemination;
        settings.limits = {row.repetitions, row.repetitions, 10};
        settings.warm_up = 1;
        settings.precision = 1e-9;
        calls = 0;
        Measurement measurement(MPI_COMM_WORLD, global_, library, settings, false);
        const auto results = measurement.run({.pattern = &counted,
                                              .bytes = 4096,
                                              .algorithms = {"first", "second"},
                                              .elements = &find_elements("byte", "sum"),
                                              .order = row.order});
        ASSERT_EQ(results[0].status, Status::measured) << results[0].reason;
        EXPECT_EQ(calls - 2, row.calls) << "without the first call of each, " << row.repetitions;
        EXPECT_EQ(results[0].repetitions.size(), rank() == 0 ? row.repetitions : 0);
    }
}

// What takes long for one rank is not repeated by any to warm up
TEST_F(MeasurementOf, LongCallsWarmUpOnce) {
    static int calls;
    static bool is_slow;
    calls = 0;
    is_slow = rank() == 0;
    Pattern counted = bcast_pattern();
    counted.call = [](const Arguments& a) {
        if (is_slow) {
            std::this_thread::sleep_for(std::chrono::milliseconds(60));
        }
        MPI_Bcast(a.receive, a.count, a.datatype, a.root, a.comm);
        ++calls;
    };
    Settings settings;
    settings.start = StartMode::dissemination;
    settings.limits = {2, 2, 10};
    settings.warm_up = 6;
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string& wanted, int) { return wanted; });
    Measurement measurement(MPI_COMM_WORLD, global_, library, settings, false);
    measurement.run({.pattern = &counted,
                     .bytes = 64,
                     .algorithms = {"binomial"},
                     .elements = &find_elements("byte", "sum")});
    EXPECT_EQ(calls, 2 + 2) << "one that is checked, one more, and two that count";
}

TEST_F(MeasurementOf, RanksArriveInTheirPatternWithBothWaysToStart) {
    constexpr double unit = 0.004;
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string& wanted, int) { return wanted; });
    for (const StartMode start : {StartMode::dissemination, StartMode::window}) {
        Settings settings;
        settings.start = start;
        settings.limits = {8, 8, 10};
        settings.keep_ranks = true;
        Measurement measurement(MPI_COMM_WORLD, global_, library, settings, true);
        measurement.set_tolerance(1);  // a shared machine is not punctual, and no rank is early
        const GroupArrival arrival = {models::parse_arrivals("ascending:2"), unit, {0, 0, 0}};
        const auto results = measurement.run({.pattern = &bcast_pattern(),
                                              .bytes = 4096,
                                              .algorithms = {default_algorithm, "binomial"},
                                              .elements = &find_elements("byte", "sum"),
                                              .arrival = arrival});
        for (const CaseResult& result : results) {
            EXPECT_EQ(result.arrival_unit, unit);
            EXPECT_EQ(result.repetitions.size(), rank() == 0 ? 8U : 0U);
            for (const Repetition& repetition : result.repetitions) {
                const std::vector<double>& begin = repetition.start_of_rank;
                EXPECT_GE(begin[1] + 1e-6, unit);
                EXPECT_GE(begin[2] + 1e-6, 2 * unit);
                const std::vector<double>& finish = repetition.finish_of_rank;
                EXPECT_NEAR(repetition.seconds, *std::max_element(finish.begin(), finish.end()) - 2 * unit,
                            1e-9);
                EXPECT_NEAR(repetition.waiting_seconds,
                            std::accumulate(finish.begin(), finish.end(), -3 * unit), 1e-9);
            }
        }
    }
}

TEST_F(MeasurementOf, RanksArriveAsRecordedInTurnWithAPattern) {
    constexpr double unit = 0.002;
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string& wanted, int) { return wanted; });
    Settings settings;
    settings.start = StartMode::window;
    settings.limits = {16, 16, 10};
    settings.keep_ranks = true;
    Measurement measurement(MPI_COMM_WORLD, global_, library, settings, true);
    measurement.set_tolerance(1);
    GroupArrival arrival = {models::parse_arrivals("one-late+recorded"), unit, {0, 0, 0}};
    arrival.recorded = {"two calls", {{0, 0.003, 0}, {0, 0.005, 0}}};
    const auto results = measurement.run({.pattern = &bcast_pattern(),
                                          .bytes = 4096,
                                          .algorithms = {default_algorithm, "binomial"},
                                          .elements = &find_elements("byte", "sum"),
                                          .arrival = arrival});
    for (const CaseResult& result : results) {
        std::set<double> recorded;
        for (const Repetition& repetition : result.repetitions) {
            const std::vector<double> delays = arrival.delays(
                repetition.number, models::arrival_draw(settings.seed, repetition.number), unit);
            EXPECT_EQ(delays[1] == 0, repetition.number % 2 == 0) << "the patterns take turns";
            EXPECT_GE(repetition.start_of_rank[1] + 1e-6, delays[1]);
            EXPECT_GE(repetition.start_of_rank[2] + 1e-6, delays[2]);
            const std::vector<double>& finish = repetition.finish_of_rank;
            EXPECT_NEAR(repetition.seconds,
                        *std::max_element(finish.begin(), finish.end()) - std::max(delays[1], delays[2]),
                        1e-9);
            recorded.insert(delays[1]);
        }
        EXPECT_EQ(recorded, rank() == 0 ? (std::set<double>{0, 0.003, 0.005}) : std::set<double>{});
        EXPECT_EQ(median_by_arrival(result, arrival.how).size(), rank() == 0 ? 2U : 0U);
    }
}

TEST_F(MeasurementOf, TheWidthOfArrivalsCountsInTimesOfTheDefault) {
    Pattern slow = bcast_pattern();
    slow.call = [](const Arguments& a) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        MPI_Bcast(a.receive, a.count, a.datatype, a.root, a.comm);
    };
    Settings settings;
    settings.start = StartMode::dissemination;
    settings.limits = {2, 2, 10};
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string& wanted, int) { return wanted; });
    Measurement measurement(MPI_COMM_WORLD, global_, library, settings, false);
    const auto results =
        measurement.run({.pattern = &slow,
                         .bytes = 64,
                         .algorithms = {"binomial", default_algorithm},
                         .elements = &find_elements("byte", "sum"),
                         .arrival = GroupArrival{models::parse_arrivals("half"), 0, {0, 0, 0}}});
    for (const CaseResult& result : results) {
        EXPECT_GE(result.arrival_unit, 0.003);
        EXPECT_EQ(result.arrival_unit, results[0].arrival_unit) << "all algorithms have the same delays";
    }
}

TEST_F(MeasurementOf, CallsInARowAreMadeAfterOneStart) {
    static int calls;
    calls = 0;
    Pattern counted = bcast_pattern();
    counted.call = [](const Arguments& a) {
        MPI_Bcast(a.receive, a.count, a.datatype, a.root, a.comm);
        ++calls;
    };
    Settings settings;
    settings.start = StartMode::dissemination;
    settings.limits = {16, 16, 10};
    settings.warm_up = 3;
    settings.keep_ranks = true;
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string& wanted, int) { return wanted; });
    Measurement measurement(MPI_COMM_WORLD, global_, library, settings, false);
    const auto results = measurement.run({.pattern = &counted,
                                          .bytes = 4096,
                                          .algorithms = {"binomial"},
                                          .elements = &find_elements("byte", "sum"),
                                          .calls_in_a_row = 5});
    EXPECT_EQ(results[0].status, Status::measured) << results[0].reason;
    EXPECT_EQ(results[0].used_algorithm, "binomial");
    EXPECT_EQ(calls, 1 + 5 * (1 + 16)) << "the first one is checked alone; one row is enough to warm up";
    for (const Repetition& repetition : results[0].repetitions) {
        const double all =
            *std::max_element(repetition.finish_of_rank.begin(), repetition.finish_of_rank.end());
        EXPECT_NEAR(repetition.seconds, all / 5, 1e-12);
        EXPECT_TRUE(repetition.start_skew_seconds);
    }
}

// As with more ranks than cores, which is not so on every machine: no start is within a tolerance below zero
TEST_F(MeasurementOf, StartsThatAreAllLateAreGivenUp) {
    Settings settings;
    settings.start = StartMode::window;
    settings.limits = {20, 100000, 1000};
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string& wanted, int) { return wanted; });
    Measurement measurement(MPI_COMM_WORLD, global_, library, settings, false);
    measurement.set_tolerance(-1);
    const auto results =
        measurement.run({&bcast_pattern(), 4096, {default_algorithm}, &find_elements("byte", "sum")});
    if (rank() == 0) {
        EXPECT_EQ(results[0].status, Status::refused);
        EXPECT_EQ(results[0].reason.find("ranks start late: 24 of 24 starts were more than "), 0U)
            << results[0].reason;
        EXPECT_TRUE(results[0].reason.ends_with("use --start barrier")) << results[0].reason;
    }
}

TEST_F(MeasurementOf, ARotatingRootComesRound) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    static std::vector<int> roots;
    roots.clear();
    Pattern noted = bcast_pattern();
    noted.call = [](const Arguments& a) {
        MPI_Bcast(a.receive, a.count, a.datatype, a.root, a.comm);
        roots.push_back(a.root);
    };
    Settings settings;
    settings.start = StartMode::dissemination;
    settings.limits = {16, 16, 10};
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string& wanted, int) { return wanted; });
    Measurement measurement(MPI_COMM_WORLD, global_, library, settings, false);
    const auto results =
        measurement.run({&noted, 4096, {default_algorithm}, &find_elements("byte", "sum"), 1, true});
    EXPECT_EQ(results[0].status, Status::measured) << results[0].reason;
    ASSERT_EQ(roots.size(), 16U + static_cast<std::size_t>(settings.warm_up));
    roots.erase(roots.begin(), roots.begin() + settings.warm_up);
    for (std::size_t i = 0; i < roots.size(); ++i) {
        EXPECT_EQ(roots[i], (1 + static_cast<int>(i)) % ranks) << i;
    }
}

TEST_F(MeasurementOf, APreconditionThatFailsIsRefused) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    SabotagedLibrary library(MPI_COMM_WORLD, [](const std::string& wanted, int) { return wanted; });
    const auto results = run(library, *find_pattern("alltoall"), {"pairwise_sendrecv_replace", "pairwise"});
    EXPECT_EQ(results[0].status, Status::refused) << "it only works in place";
    EXPECT_EQ(results[1].status, Status::measured);
}

}  // namespace

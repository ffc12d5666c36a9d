// SPDX-License-Identifier: MIT
// The synchronisation finds clocks that are wrong by up to a second and run up to 100 ppm too fast or too
// slow. The truth is known: all ranks run on one machine, whose clock the skewed ones are made from.
#include "clock_sync.hpp"

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "measure.hpp"

namespace {

using namespace bench;

double from_environment(const char* name, double otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atof(text) : otherwise;
}

double run_seconds() {
    return from_environment("CLOCK_TEST_SECONDS", 3);
}

// What a busy machine may add: the short run is to find mistakes, not to measure. The long one allows
// nothing.
double slack_seconds() {
    return from_environment("CLOCK_TEST_SLACK", 300e-6);
}

Skew skew_of(int rank) {
    std::mt19937 random(static_cast<unsigned>(rank) + 1);
    std::uniform_real_distribution<double> offset(-1, 1);
    std::uniform_real_distribution<double> ppm(-100, 100);
    return {offset(random), 1 + 1e-6 * ppm(random)};
}

double local_time(int rank, double truth) {
    return skew_of(rank).offset + skew_of(rank).rate * truth;
}

void expect_recovered(SyncMethod method) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const Clock truth(ClockSource::monotonic_raw);
    const Clock clock(ClockSource::monotonic_raw, skew_of(rank));
    GlobalClock global(MPI_COMM_WORLD, clock, method);

    // re-synchronises while it goes on, as a benchmark does; then looks back at moments in between
    std::vector<double> moments;
    const double start = truth.now();
    global.synchronize();
    constexpr int parts = 5;
    for (int i = 1; i <= parts; ++i) {
        while (truth.now() < start + run_seconds() * i / parts) {
            truth.wait_until(truth.now() + run_seconds() / parts / 4, 0);
            moments.push_back(truth.now());
        }
        global.synchronize();
    }
    const GlobalClock::Residual residual = global.measure_residual();
    double round_trip = residual.round_trip;
    MPI_Bcast(&round_trip, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const double allowed = std::max(2e-6, round_trip / 2) + slack_seconds();
    double worst = 0;
    for (const double moment : moments) {
        worst = std::max(worst, std::abs(global.to_global(local_time(rank, moment)) - local_time(0, moment)));
        EXPECT_NEAR(global.to_local(global.to_global(local_time(rank, moment))), local_time(rank, moment),
                    1e-3);
    }
    EXPECT_LE(worst, allowed) << "rank " << rank;
    double worst_of_all = 0;
    MPI_Reduce(&worst, &worst_of_all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        std::printf("worst error %.2f us, residual %.2f us, round trip %.2f us\n", 1e6 * worst_of_all,
                    1e6 * residual.error, 1e6 * round_trip);
    }
}

TEST(GlobalClockOf, SkewedClocksIsRecoveredByTheTree) {
    expect_recovered(SyncMethod::tree);
}

TEST(GlobalClockOf, SkewedClocksIsRecoveredLinearly) {
    expect_recovered(SyncMethod::linear);
}

TEST(GlobalClockOf, SkewedClocksIsSynchronisedWhenItIsDue) {
    const Clock truth(ClockSource::monotonic_raw);
    const Clock clock(ClockSource::monotonic_raw, {0.5, 1 + 50e-6});
    GlobalClock global(MPI_COMM_WORLD, clock, SyncMethod::tree);
    EXPECT_TRUE(global.synchronize_if_due()) << "it never was";
    const double begin = truth.now();
    while (!global.synchronize_if_due()) {
        truth.wait_until(truth.now() + 1e-3, 0);
    }
    EXPECT_GT(truth.now() - begin, 1e-3) << "not at once again: synchronising is not for nothing";
    GlobalClock shared(MPI_COMM_WORLD, truth, SyncMethod::shared);
    EXPECT_FALSE(shared.synchronize_if_due());
}

// A group of a second with clocks that drift apart by 200 us in this time, synchronised only once before.
// Extended from there, the times of rank 1 would be wrong by 100 us in the middle; interpolated, by what a
// synchronisation is wrong. Each call notes when it really was.
TEST(TimesOfAGroup, AreInterpolated) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const Clock truth(ClockSource::monotonic_raw);
    const Skew skew = {rank == 1 ? 0.7 : 0.0, rank == 1 ? 1 + 200e-6 : 1};
    const Clock clock(ClockSource::monotonic_raw, skew);
    GlobalClock global(MPI_COMM_WORLD, clock, SyncMethod::tree);
    global.synchronize();

    static std::vector<double> finishes;  // true ones, of this rank
    finishes.clear();
    Pattern noted = *find_pattern("barrier");
    noted.call = [](const Arguments& a) {
        MPI_Barrier(a.comm);
        usleep(2000);
        finishes.push_back(Clock(ClockSource::monotonic_raw).now());
    };
    Settings settings;
    settings.start = StartMode::barrier;
    settings.metric = Metric::last_finish;
    settings.keep_ranks = true;
    constexpr std::size_t repetitions = 480;  // whole batches
    settings.limits = {repetitions, repetitions, 60};
    const auto library = make_library(MPI_COMM_WORLD);
    Measurement measurement(MPI_COMM_WORLD, global, *library, settings, false);
    const auto results = measurement.run({&noted, 0, {default_algorithm}, &find_elements("byte", "sum")});

    finishes.erase(finishes.begin(), finishes.begin() + settings.warm_up);
    ASSERT_EQ(finishes.size(), repetitions);
    std::vector<double> of_rank_1 = finishes;
    MPI_Bcast(of_rank_1.data(), repetitions, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    if (rank == 0) {
        ASSERT_EQ(results[0].repetitions.size(), repetitions);
        std::vector<double> errors;
        for (std::size_t i = 0; i < repetitions; ++i) {
            const std::vector<double>& reported = results[0].repetitions[i].finish_of_rank;
            errors.push_back((reported[1] - reported[0]) - (of_rank_1[i] - finishes[i]));
        }
        // the middle ones of the last quarter: a rank that loses its core between two looks is not the clock
        std::sort(errors.end() - repetitions / 4, errors.end());
        const double error = *(errors.end() - repetitions / 8);
        std::printf("error %.2f us\n", 1e6 * error);
        EXPECT_LT(std::abs(error), 50e-6);
    }
}

TEST(GlobalClockOf, OneSystemIsShared) {
    const Clock clock(ClockSource::monotonic_raw);
    EXPECT_EQ(best_sync_method(MPI_COMM_WORLD, clock), SyncMethod::shared);
    const Clock skewed(ClockSource::monotonic_raw, {1, 1});
    EXPECT_EQ(best_sync_method(MPI_COMM_WORLD, skewed), SyncMethod::tree);
    GlobalClock global(MPI_COMM_WORLD, clock, SyncMethod::shared);
    EXPECT_EQ(global.synchronize(), 0);
    EXPECT_DOUBLE_EQ(global.to_global(12.5), 12.5);
}

TEST(GlobalClockOf, RoundsAreWhatTheTreeSays) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Clock clock(ClockSource::monotonic_raw);
    EXPECT_EQ(GlobalClock(MPI_COMM_WORLD, clock, SyncMethod::tree).synchronize(),
              static_cast<int>(std::ceil(std::log2(ranks))));
    EXPECT_EQ(GlobalClock(MPI_COMM_WORLD, clock, SyncMethod::linear).synchronize(), ranks - 1);
}

// For any number of ranks: ceil(log2 P) rounds, every rank but 0 serves once, after its client is reached,
// and no rank is in two pairs of one round
TEST(TreeRounds, AreLogarithmicAndComplete) {
    for (int ranks = 1; ranks <= 129; ++ranks) {
        const auto rounds = tree_rounds(ranks);
        EXPECT_EQ(rounds.size(), static_cast<std::size_t>(std::ceil(std::log2(ranks)))) << ranks;
        std::vector<int> served(static_cast<std::size_t>(ranks));
        for (const auto& round : rounds) {
            std::vector<int> busy(served.size());
            for (const SyncPair& pair : round) {
                EXPECT_LT(pair.client, pair.server);
                EXPECT_EQ(++busy[static_cast<std::size_t>(pair.client)], 1);
                EXPECT_EQ(++busy[static_cast<std::size_t>(pair.server)], 1);
                ++served[static_cast<std::size_t>(pair.server)];
            }
        }
        for (int rank = 0; rank < ranks; ++rank) {
            EXPECT_EQ(served[static_cast<std::size_t>(rank)], rank > 0) << rank << " of " << ranks;
        }
    }
}

TEST(ClockQuality, IsPlausible) {
    const Clock clock(best_clock_source());
    const auto quality = clock.measure_quality();
    EXPECT_GT(quality.resolution, 0);
    EXPECT_LT(quality.resolution, 1e-5);
    EXPECT_GT(quality.call_cost, 0);
    EXPECT_LT(quality.call_cost, 1e-5);
}

}  // namespace

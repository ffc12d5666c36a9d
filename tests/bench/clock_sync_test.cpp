// SPDX-License-Identifier: MIT
// The synchronisation finds clocks that are wrong by up to a second and run up to 100 ppm too fast or too
// slow. The truth is known: all ranks run on one machine, whose clock the skewed ones are made from.
#include "clock_sync.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <cstdlib>
#include <random>

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

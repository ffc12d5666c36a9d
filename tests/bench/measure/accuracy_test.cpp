// SPDX-License-Identifier: MIT
// Is the benchmark right? Against a plain loop of our own, and against itself. For a quiet machine: a long
// test.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>

#include "session.hpp"
#include "statistics.hpp"

namespace {

using namespace bench;

int rank_of_this() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

// As most benchmarks do it: a barrier, the call, the slowest rank
double plain_loop_median(int repetitions) {
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i) {
        double send = 1;
        double receive = 0;
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        MPI_Allreduce(&send, &receive, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        double time = MPI_Wtime() - begin;
        MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        times.push_back(time);
    }
    std::sort(times.begin(), times.end());
    return models::median(times);
}

TEST(Accuracy, AgreesWithAPlainLoop) {
    SessionOptions options;
    options.settings.start = StartMode::barrier;
    options.settings.metric = Metric::max;
    options.settings.limits = {2000, 2000, 30};
    Session session(MPI_COMM_WORLD, options);
    const GroupSpec group = {
        find_pattern("allreduce"), 8, {default_algorithm}, &find_elements("double", "sum")};
    plain_loop_median(500);  // warm up
    // before and after, so that a drift of the machine hits both alike
    const double before = plain_loop_median(1000);
    const auto results = session.measure(group, options.settings);
    const double after = plain_loop_median(1000);
    if (rank_of_this() == 0) {
        const double median = models::summarize(seconds_of(results[0])).median;
        const double plain = (before + after) / 2;
        std::printf("plain loop %.2f us, benchmark %.2f us\n", 1e6 * plain, 1e6 * median);
        EXPECT_NEAR(median / plain, 1, 0.1);
    }
}

// The same algorithm twice: the intervals of the medians should meet
TEST(Accuracy, FindsNoDifferenceWhereThereIsNone) {
    SessionOptions options;
    options.settings.limits = {40, 40, 10};
    Session session(MPI_COMM_WORLD, options);
    int different = 0;
    constexpr int trials = 200;
    for (int t = 0; t < trials; ++t) {
        Settings settings = options.settings;
        settings.seed = static_cast<std::uint64_t>(t) + 1;
        const GroupSpec group = {
            find_pattern("bcast"), 1024, {"binomial", "binomial"}, &find_elements("byte", "sum")};
        const auto results = session.measure(group, settings);
        if (rank_of_this() == 0) {
            const models::Interval a = models::summarize(seconds_of(results[0])).median_interval;
            const models::Interval b = models::summarize(seconds_of(results[1])).median_interval;
            different += a.high < b.low || b.high < a.low;
        }
    }
    if (rank_of_this() == 0) {
        std::printf("%d of %d trials differ\n", different, trials);
        EXPECT_LE(different, trials / 20);
    }
}

}  // namespace

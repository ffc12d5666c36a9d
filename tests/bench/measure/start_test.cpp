// SPDX-License-Identifier: MIT
// How ranks start together: nobody passes a barrier before the last one has come, and a window is one moment.
#include "start.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

class CommonStartOf : public testing::TestWithParam<StartMode> {
  protected:
    Clock clock_{ClockSource::monotonic_raw};
    GlobalClock global_{MPI_COMM_WORLD, clock_, SyncMethod::shared};
};

TEST_P(CommonStartOf, NobodyStartsBeforeAllHaveCome) {
    const CommonStart start(MPI_COMM_WORLD, global_, GetParam(), false);
    for (int i = 0; i < 20; ++i) {
        const double window = start.next_window();
        double come = clock_.now();
        start.wait(window);
        const double begin = clock_.now();
        MPI_Allreduce(MPI_IN_PLACE, &come, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        EXPECT_GE(begin, start.has_windows() ? window : come);
    }
}

TEST_P(CommonStartOf, ADelayIsAddedOnTheRankThatHasIt) {
    const CommonStart start(MPI_COMM_WORLD, global_, GetParam(), false);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double delay = 0.003 * rank;
    for (int i = 0; i < 5; ++i) {
        const double window = start.next_window();
        const double come = clock_.now();
        start.wait(window, delay);
        EXPECT_GE(clock_.now(), (start.has_windows() ? window : come) + delay);
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, CommonStartOf,
                         testing::Values(StartMode::window, StartMode::barrier, StartMode::dissemination));

TEST(CommonStart, IsAWindowOnlyWithACoreForEachRank) {
    const Clock clock(ClockSource::monotonic_raw);
    const GlobalClock global(MPI_COMM_WORLD, clock, SyncMethod::shared);
    EXPECT_EQ(CommonStart(MPI_COMM_WORLD, global, StartMode::automatic, true).mode(), StartMode::window);
    EXPECT_EQ(CommonStart(MPI_COMM_WORLD, global, StartMode::automatic, false).mode(),
              StartMode::dissemination);
    CommonStart start(MPI_COMM_WORLD, global, StartMode::window, false);
    const double tolerance = start.calibrate();
    EXPECT_GE(tolerance, 2e-6) << "below that a start is not late";
    EXPECT_EQ(start.tolerance(), tolerance);
}

}  // namespace

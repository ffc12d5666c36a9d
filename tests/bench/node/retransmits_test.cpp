// SPDX-License-Identifier: MIT
// The kernel's counters are counted once for all ranks of a machine, and never go back.
#include "retransmits.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

TEST(Retransmits, AreThoseOfTheMachineWhateverTheNumberOfRanks) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const Retransmits before = read_retransmits(MPI_COMM_SELF);
    MPI_Barrier(MPI_COMM_WORLD);
    const Retransmits all = read_retransmits(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    const Retransmits after = read_retransmits(MPI_COMM_SELF);
    EXPECT_GE(before.segments, 0);
    EXPECT_GE(before.time_outs, 0);
    if (rank == 0) {
        EXPECT_LE(before.segments, all.segments);
        EXPECT_LE(all.segments, after.segments) << "not once for each rank";
        EXPECT_LE(before.time_outs, all.time_outs);
        EXPECT_LE(all.time_outs, after.time_outs);
    }
}

}  // namespace

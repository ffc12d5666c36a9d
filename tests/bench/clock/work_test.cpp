// SPDX-License-Identifier: MIT
// The amount of work grows with the time that is asked for. How long it takes is the machine's affair.
#include "work.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

TEST(Work, GrowsWithTheTime) {
    const Work work{Clock(ClockSource::monotonic_raw)};
    EXPECT_EQ(work.rounds(0), 0);
    EXPECT_GT(work.rounds(1e-3), 0);
    EXPECT_NEAR(static_cast<double>(work.rounds(2e-3)), 2.0 * static_cast<double>(work.rounds(1e-3)), 2);
    work(1e-6);
}

}  // namespace

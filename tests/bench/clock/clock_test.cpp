// SPDX-License-Identifier: MIT
#include "clock.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

TEST(Clock, NeverGoesBack) {
    const Clock clock(ClockSource::monotonic_raw);
    double last = clock.now();
    for (int i = 0; i < 1000; ++i) {
        const double now = clock.now();
        EXPECT_GE(now, last);
        last = now;
    }
}

TEST(Clock, WaitsUntilTheMoment) {
    const Clock clock(ClockSource::monotonic_raw);
    for (const double spin : {0.0, 1.0}) {
        const double moment = clock.now() + 1e-3;
        clock.wait_until(moment, spin);
        EXPECT_GE(clock.now(), moment);
    }
}

TEST(Clock, ASkewedOneIsNotTheSystems) {
    EXPECT_TRUE(Clock(ClockSource::monotonic_raw).is_system_wide());
    EXPECT_FALSE(Clock(ClockSource::monotonic_raw, {1, 1}).is_system_wide());
    EXPECT_FALSE(Clock(ClockSource::monotonic_raw, {0, 1.0001}).is_system_wide());
}

TEST(Clock, SourcesHaveNames) {
    for (const ClockSource source : {ClockSource::tsc, ClockSource::monotonic_raw, ClockSource::mpi_wtime}) {
        EXPECT_EQ(clock_source_from(to_string(source)), source);
    }
    EXPECT_THROW(clock_source_from("sundial"), std::invalid_argument);
}

}  // namespace

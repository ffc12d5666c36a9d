// SPDX-License-Identifier: MIT
// What is asked for by names and texts; how it is measured is tested with MPI, in nonblocking_test.sh.
#include "overlap_measurement.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

TEST(OverlapPlan, IsMadeOfNamesAndSizes) {
    const OverlapPlan plan = overlap_plan({"work", "time"}, {"0", "4Ki", "search"});
    EXPECT_EQ(plan.schemes, (std::vector<Scheme>{Scheme::work, Scheme::time}));
    EXPECT_EQ(plan.intervals, (std::vector<std::size_t>{0, 4096}));
    EXPECT_TRUE(plan.search_interval);
    EXPECT_FALSE(overlap_plan({"work"}, {"0"}).search_interval);
}

TEST(OverlapPlan, MistakesAreErrors) {
    EXPECT_THROW(overlap_plan({"luck"}, {"0"}), std::invalid_argument);
    EXPECT_THROW(overlap_plan({"time"}, {"often"}), std::invalid_argument);
}

TEST(CheckOverlap, RefusesWhatBlocks) {
    EXPECT_NO_THROW(check_overlap(*find_pattern("ibcast")));
    for (const char* name : {"bcast", "ping_pong"}) {
        EXPECT_THROW(check_overlap(*find_pattern(name)), std::invalid_argument) << name;
    }
}

}  // namespace

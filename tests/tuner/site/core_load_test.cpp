// SPDX-License-Identifier: MIT
#include "core_load.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace {

using namespace tuner;

TEST(CoreLoad, IsOfEachCore) {
    const auto before = core_ticks(
        "cpu  20 0 0 180 0 0 0 0 0 0\ncpu0 10 0 0 90 0 0 0 0 0 0\ncpu1 10 0 0 90 0 0 0 0 0 0\nintr 5\n");
    const auto after = core_ticks(
        "cpu  20 0 0 180 0 0 0 0 0 0\ncpu0 12 0 0 148 40 0 0 0 0 0\ncpu1 60 10 20 90 0 0 0 20 70 0\n");
    ASSERT_EQ(before.size(), 2u);
    const auto shares = busy_shares(before, after);
    ASSERT_EQ(shares.size(), 2u);
    EXPECT_DOUBLE_EQ(shares[0], 0.02) << "waiting for a disk is idle";
    EXPECT_DOUBLE_EQ(shares[1], 1) << "what a hypervisor took is busy; a guest's is not counted twice";
    EXPECT_TRUE(busy_shares(before, before).empty()) << "not known";
    EXPECT_TRUE(busy_shares({}, {}).empty());
}

TEST(CoreLoad, OfProcessesWithAnyName) {
    EXPECT_EQ(process_ticks("7 (a) b) c) R 1 7 7 0 -1 4194304 90 0 0 0 120 30 5 5 20 0 1 0 100"), 150);
    EXPECT_EQ(process_ticks(""), -1);
    EXPECT_EQ(process_ticks("7 (a) R 1"), -1);
}

TEST(CoreLoad, OfThisNode) {
    const CoreLoad load = load_of_this_node(0.2);
    EXPECT_FALSE(load.busy.empty());
    for (const double share : load.busy) {
        EXPECT_GE(share, 0);
        EXPECT_LE(share, 1);
    }
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "outgoing.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

Outgoing::Message message(std::uint32_t position, int source, int destination) {
    return {{0, position}, source, destination, source / 2};
}

TEST(Outgoing, MessagesBetweenTwoRanksFollowEachOther) {
    Outgoing outgoing(2, 4);
    EXPECT_TRUE(outgoing.enter(message(0, 0, 2)));
    EXPECT_FALSE(outgoing.enter(message(1, 0, 2)));
    EXPECT_TRUE(outgoing.enter(message(2, 0, 3))) << "to another rank";
    EXPECT_EQ(outgoing.leave(message(0, 0, 2))->position, 1U);
    EXPECT_FALSE(outgoing.leave(message(2, 0, 3)));
    EXPECT_FALSE(outgoing.leave(message(1, 0, 2)));
}

TEST(Outgoing, OfManyMessagesOfANodeSomeWait) {
    Outgoing outgoing(2, 100);
    for (int i = 0; i < most_moving_from_a_node; ++i) {
        EXPECT_TRUE(outgoing.enter({{0, static_cast<std::uint32_t>(i)}, 0, i + 1, 0}));
    }
    EXPECT_FALSE(outgoing.enter({{0, 90}, 1, 50, 0})) << "of any rank there";
    EXPECT_TRUE(outgoing.enter({{0, 91}, 60, 50, 1})) << "of another node";
    EXPECT_EQ(outgoing.leave({{0, 0}, 0, 1, 0})->position, 90U);
    EXPECT_FALSE(outgoing.leave({{0, 1}, 0, 2, 0}));
}

}  // namespace

// SPDX-License-Identifier: MIT
// What they mean for costs is tested in cost_test.
#include "waiting_bytes.hpp"

#include <gtest/gtest.h>

namespace {

using models::RankPlacement;

struct Sent {
    int source;
    int destination;
    std::size_t bytes;
};

// One message in each round
double waiting_bytes(const RankPlacement& layout, const std::vector<Sent>& messages, int times = 1) {
    const models::Representatives all = models::representatives({{1, nullptr}}, layout);
    models::WaitingBytes waiting(layout, all);
    for (const Sent& message : messages) {
        models::Round round;
        round.send(message.source, message.destination, models::Piece{0, message.bytes});
        waiting.add(round, times);
    }
    return waiting.sum();
}

TEST(WaitingBytes, AreThoseOfLaterRoundsWithoutWaitingInBetween) {
    const RankPlacement layout(4, 1);
    // the first message waits for 20 + 4 bytes; the second only for one other message, which does not count
    EXPECT_EQ(waiting_bytes(layout, {{0, 1, 100}, {0, 2, 20}, {0, 3, 4}}), 24);
    EXPECT_EQ(waiting_bytes(layout, {{0, 1, 100}, {0, 2, 20}, {3, 0, 1}, {0, 3, 4}}), 0) << "it waited";
    EXPECT_EQ(waiting_bytes(layout, {{0, 1, 100}, {0, 1, 20}, {0, 1, 4}}), 0) << "one stream";
}

TEST(WaitingBytes, ARankContinuesWhatTheSenderOnItsNodeBegan) {
    const RankPlacement layout(4, 2);
    EXPECT_EQ(waiting_bytes(layout, {{0, 2, 100}, {0, 1, 7}, {1, 4, 20}, {1, 6, 4}}), 24);
    EXPECT_EQ(waiting_bytes(layout, {{0, 2, 100}, {1, 4, 20}, {1, 6, 4}}), 0) << "nothing from rank 0";
}

TEST(WaitingBytes, OfRoundsThatAreRepeated) {
    const RankPlacement layout(4, 1);
    // twice the same stream, then two others: both messages of the first wait
    EXPECT_EQ(waiting_bytes(layout, {{0, 1, 100}, {0, 2, 20}, {0, 3, 4}}, 2), 2 * 24);
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "live_round.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

std::vector<std::uint32_t> list(std::span<const std::uint32_t> positions) {
    return {positions.begin(), positions.end()};
}

TEST(LiveRound, KnowsWhoSendsAndReceivesWhat) {
    models::Round round(models::Round::Detail::sizes);
    round.send(0, 2, models::Piece{0, 10});
    round.send(2, 0, models::Piece{0, 20}, 0, models::Effect::combine_after);
    round.copy(1, models::Piece{0, 30}, 0);
    round.send(0, 1, models::Piece{0, 40});
    LiveRound live(round, 4, {});
    EXPECT_EQ(list(live.sent_by(0)), (std::vector<std::uint32_t>{0, 3}));
    EXPECT_EQ(list(live.sent_by(1)), (std::vector<std::uint32_t>{2})) << "a copy";
    EXPECT_EQ(list(live.received_by(1)), (std::vector<std::uint32_t>{3}));
    EXPECT_EQ(list(live.received_by(0)), (std::vector<std::uint32_t>{1}));
    EXPECT_TRUE(live.message(1).combines);
    EXPECT_FALSE(live.has_part_of(3));
    EXPECT_EQ(live.ranks_left, 3);
}

TEST(LiveRound, CanFollowOneNodeForAll) {
    const models::Representatives of({0, 1, 0, 1}, 2);  // two nodes of two ranks
    models::Round round(&of);
    for (int rank = 0; rank < 4; ++rank) {
        round.send(rank, (rank + 1) % 4, models::Piece{0, 10});
    }
    LiveRound live(round, 4, {}, &of);
    ASSERT_EQ(live.size(), 2);
    EXPECT_EQ(list(live.sent_by(1)), (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(live.message(1).destination, 2);
    EXPECT_EQ(list(live.received_by(0)), (std::vector<std::uint32_t>{1})) << "rank 0 stands for rank 2";
    EXPECT_EQ(list(live.received_by(1)), (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(live.ranks_left, 2);
}

TEST(LiveRounds, AreMadeOneByOneWithoutEmptyOnes) {
    const models::Schedule schedule = {
        {3, [](int i, models::Round& round) {
             if (i != 1) {
                 round.send(0, 1, models::Piece{0, static_cast<std::size_t>(i + 1)});
                 round.send(1, 0, models::Piece{0, 7});
             }
         }}};
    LiveRounds rounds(schedule, 2, true);
    std::deque<LiveRound> made;
    EXPECT_TRUE(rounds.next(made));
    EXPECT_TRUE(rounds.next(made));
    EXPECT_FALSE(rounds.next(made));
    ASSERT_EQ(made.size(), 2U);
    EXPECT_EQ(made[1].message(0).bytes, 3U);
    EXPECT_EQ(made[1].message(0).opposite_bytes, 3) << "of the 7 that come back";
}

}  // namespace

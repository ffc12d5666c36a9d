// SPDX-License-Identifier: MIT
// What costs leave out of a schedule: ranks that do the same as others, and which bytes a message has. That
// they lose nothing by it is tested in profile_test.
#include "representatives.hpp"

#include <gtest/gtest.h>

#include "schedule.hpp"

namespace {

using models::Message;
using models::RankPlacement;
using models::Round;

std::vector<std::size_t> sizes_of(const Round& round) {
    std::vector<std::size_t> sizes;
    for (const Message& message : round.messages()) {
        sizes.push_back(message.bytes);
    }
    return sizes;
}

TEST(Round, WithoutPiecesCopiesOfARankAreOneMessage) {
    Round round(Round::Detail::sizes);
    const std::vector<int> second_node = {2, 3};
    round.copy(0, {0, 1}, 0);
    round.copy(0, {5, 10}, 0);
    round.copy(0, {5, 100}, 0, models::Effect::combine_after);
    const std::size_t part = round.begin_part();
    round.copy(0, {0, 1000}, 0, models::Effect::combine_after);  // of rank 2
    round.end_part(part, second_node);
    round.send(2, 2, models::Piece{0, 10000});
    EXPECT_EQ(sizes_of(round), (std::vector<std::size_t>{11, 100, 1000, 10000}));
    EXPECT_EQ(round.messages()[2].source, 2);
}

TEST(Round, OfRepresentativesHasWhatTheySendOrReceive) {
    const models::Representatives first_of_two({0, 1, 0, 1}, 2);
    Round round(&first_of_two);
    round.send(0, 1, models::Piece{0, 1});
    round.send(1, 2, models::Piece{0, 2});
    round.send(2, 3, models::Piece{0, 3});
    round.send(3, 0, models::Piece{0, 4});
    EXPECT_EQ(sizes_of(round), (std::vector<std::size_t>{1, 2, 4}));
}

TEST(Representatives, AreTheFirstNodeWhereAllRanksDoTheSame) {
    const auto representatives = [](std::string_view collective, std::string_view algorithm,
                                    const RankPlacement& layout) {
        const models::Representatives found = models::representatives(
            models::find_algorithm(collective, algorithm)->schedule({&layout, 8}), layout);
        std::vector<int> of_ranks;
        for (int rank = 0; rank < layout.ranks(); ++rank) {
            of_ranks.push_back(found.of(rank));
        }
        return of_ranks;
    };
    EXPECT_EQ(representatives("allgather", "ring", RankPlacement(3, 2)), (std::vector{0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(representatives("allgather", "ring", RankPlacement(3, 2, models::Mapping::round_robin)),
              (std::vector{0, 0, 0, 3, 3, 3}));
    EXPECT_EQ(representatives("allgather", "ring", RankPlacement(std::vector{0, 0, 1})),
              (std::vector{0, 1, 2}));
    EXPECT_EQ(representatives("bcast", "binomial", RankPlacement(2, 2)), (std::vector{0, 1, 2, 3}));
}

}  // namespace

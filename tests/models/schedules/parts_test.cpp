// SPDX-License-Identifier: MIT
// What schedules are made of. That whole schedules deliver is tested in schedule_test.
#include "parts.hpp"

#include <gtest/gtest.h>

namespace {

using namespace models;
using namespace models::schedules;

TEST(PowersOfTwo, AreRounded) {
    EXPECT_EQ(ceil_log2(1), 0);
    EXPECT_EQ(ceil_log2(8), 3);
    EXPECT_EQ(ceil_log2(9), 4);
    EXPECT_EQ(floor_power_of_two(9), 8);
    EXPECT_EQ(floor_power_of_two(8), 8);
}

TEST(ElementBlocks, GiveTheFirstBlocksOneMoreElement) {
    const ElementBlocks blocks{10, 4, 3};  // 10 elements of 4 bytes: 4, 3, 3
    EXPECT_EQ(blocks.piece(0, 1).bytes, 16u);
    EXPECT_EQ(blocks.piece(1, 1).offset, 16u);
    EXPECT_EQ(blocks.piece(1, 1).bytes, 12u);
    EXPECT_EQ(blocks.piece(0, 3).bytes, 40u) << "together all of them";
}

TEST(Fold, RenumbersTheRanksThatTakePart) {
    const Fold fold(6, false);  // 4 take part: 0 for {0, 1}, 2 for {2, 3}, 4, 5
    EXPECT_EQ(fold.power, 4);
    EXPECT_EQ(fold.extra, 2);
    EXPECT_EQ(fold.steps(), 2);
    std::vector<int> ranks;
    for (int number = 0; number < fold.power; ++number) {
        ranks.push_back(fold.rank_of(number));
    }
    EXPECT_EQ(ranks, (std::vector{0, 2, 4, 5}));
    EXPECT_EQ(fold.folded_of(1), 3);
    EXPECT_EQ(Fold(6, true).rank_of(1), 3);
    EXPECT_EQ(Fold(6, true).folded_of(1), 2);
}

// One message from 0 to 1, in one round
Schedule one_message() {
    return {{1, [](int, Round& round) { round.send(0, 1, Piece{0, 8}); }}};
}

std::vector<std::pair<int, int>> messages_of(const Schedule& schedule) {
    std::vector<std::pair<int, int>> messages;
    for_each_round(schedule, [&](const Round& round) {
        for (const Message& message : round.messages()) {
            messages.emplace_back(message.source, message.destination);
        }
    });
    return messages;
}

using Messages = std::vector<std::pair<int, int>>;

TEST(Among, IsTheSameScheduleWithOtherRanks) {
    EXPECT_EQ(messages_of(among({5, 3}, one_message())), (Messages{{5, 3}}));
}

TEST(SideBySide, TakesAsManyRoundsAsTheLongest) {
    Schedule twice = one_message();
    append(twice, among({2, 4}, one_message()));
    const Schedule both = side_by_side({twice, among({7, 8}, one_message())});
    EXPECT_EQ(rounds_of(both), 2);
    EXPECT_EQ(messages_of(both), (Messages{{0, 1}, {7, 8}, {2, 4}}));
}

TEST(Nodes, AreOrderedByTheirFirstRank) {
    const Nodes nodes(RankPlacement(std::vector{1, 0, 1, 0}));
    EXPECT_EQ(nodes.roots, (std::vector{0, 1}));
    EXPECT_EQ(nodes.members, (std::vector<std::vector<int>>{{0, 2}, {1, 3}}));
    EXPECT_EQ(nodes.node_of(3), 1);
    EXPECT_EQ(nodes.index_in_node(3), 1);
}

TEST(FlatChoice, FollowsTheDefaultThresholds) {
    const RankPlacement eight(8, 1);
    const RankPlacement six(6, 1);
    const auto name = [](Choose choose, const RankPlacement& layout, std::size_t bytes) {
        return std::string(choose(Call{&layout, bytes}).name);
    };
    EXPECT_EQ(name(flat_bcast, eight, 12288), "binomial");
    EXPECT_EQ(name(flat_bcast, eight, 12289), "scatter_recursive_doubling_allgather");
    EXPECT_EQ(name(flat_bcast, eight, 524289), "scatter_ring_allgather");
    EXPECT_EQ(name(flat_bcast, six, 524289), "binomial") << "fewer than BCAST_MIN_PROCS";
    EXPECT_EQ(name(flat_reduce, eight, 2048), "binomial");
    EXPECT_EQ(name(flat_reduce, eight, 2049), "reduce_scatter_gather");
    EXPECT_EQ(name(flat_allreduce, eight, 8), "recursive_doubling");
    EXPECT_EQ(name(flat_allreduce, eight, 9), "reduce_scatter_allgather");
}

TEST(ChosenNames, AreEmptyWhereThereIsNothingToDo) {
    const RankPlacement layout(8, 1);
    const Call call{&layout, 64};
    EXPECT_EQ(chosen_name(1, call, flat_bcast), "");
    EXPECT_EQ(chosen_name(8, call, flat_bcast), "binomial");
    EXPECT_EQ(chosen_names(RankPlacement(2, 2), call, flat_bcast, flat_reduce), "binomial+binomial")
        << "one for each number of ranks";
    EXPECT_EQ(chosen_names(RankPlacement(std::vector{0, 0, 1, 1, 2}), call, flat_bcast, flat_reduce),
              "binomial++binomial");
}

}  // namespace

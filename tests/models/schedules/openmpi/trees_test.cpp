// SPDX-License-Identifier: MIT
// The trees of Open MPI, for the numbers of ranks that the comments of coll_base_topo.c draw.
#include "openmpi/trees.hpp"

#include <gtest/gtest.h>

namespace {

using namespace models;
using namespace models::schedules::openmpi;

TEST(Trees, HaveTheseParents) {
    EXPECT_EQ(star(4), (Parents{0, 0, 0, 0}));
    EXPECT_EQ(chains(6, 1), (Parents{0, 0, 1, 2, 3, 4})) << "a pipeline";
    EXPECT_EQ(chains(6, 2), (Parents{0, 0, 1, 2, 0, 4})) << "the longer chain first";
    EXPECT_EQ(binary_tree(7), (Parents{0, 0, 0, 1, 2, 1, 2}));
    EXPECT_EQ(binomial_tree(8), (Parents{0, 0, 0, 1, 0, 1, 2, 3}));
    EXPECT_EQ(knomial_tree(9, 4), (Parents{0, 0, 0, 0, 0, 4, 4, 4, 0}));
    EXPECT_EQ(chains(1, 4), Parents{0});
}

TEST(Trees, HaveDepthsAndHeights) {
    const Parents tree = chains(6, 2);
    EXPECT_EQ(depths(tree), (std::vector{0, 1, 2, 3, 1, 2}));
    EXPECT_EQ(heights(tree), (std::vector{3, 2, 1, 0, 1, 0}));
}

TEST(Segments, AreWholeElementsAndARest) {
    const Segments segments(100, 30, 8);  // 24 bytes: three elements
    EXPECT_EQ(segments.bytes, 24u);
    ASSERT_EQ(segments.count(), 5);
    EXPECT_EQ(segments.piece(4).offset, 96u);
    EXPECT_EQ(segments.piece(4).bytes, 4u);
    EXPECT_EQ(Segments(100, 0, 8).count(), 1) << "no segments";
    EXPECT_EQ(Segments(100, 200, 8).count(), 1);
    EXPECT_EQ(Segments(0, 30, 8).count(), 1);
}

int rounds_of_phase(const Phase& phase) {
    return models::rounds_of({phase});
}

TEST(Pipeline, PassesASegmentOnWhileTheNextArrives) {
    const RankPlacement layout(4, 1);
    const Call call{&layout, 30};
    const Parents chain = chains(4, 1);
    EXPECT_EQ(rounds_of_phase(down(call, chain, 10)), 3 + 2) << "three segments, three hops";
    EXPECT_EQ(rounds_of_phase(up(call, chain, 10)), 3 + 2);
    EXPECT_EQ(rounds_of_phase(down(call, star(4), 0)), 1);
    Round third;
    down(call, chain, 10).make(2, third);
    ASSERT_EQ(third.messages().size(), 3u) << "all hops are busy";
    for (const Message& message : third.messages()) {
        EXPECT_EQ(message.destination, message.source + 1);
        EXPECT_EQ(message.bytes, 10u);
    }
}

TEST(Pipeline, StartsAtTheRoot) {
    const RankPlacement layout(3, 1);
    const Call call{&layout, 30, 2};
    Round first;
    down(call, chains(3, 1), 0).make(0, first);
    ASSERT_EQ(first.messages().size(), 1u);
    EXPECT_EQ(first.messages()[0].source, 2);
    EXPECT_EQ(first.messages()[0].destination, 0);
}

}  // namespace

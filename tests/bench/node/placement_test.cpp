// SPDX-License-Identifier: MIT
// All ranks of this test are on one machine.
#include "placement.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace {

using namespace bench;

TEST(Placement, CountsTheRanksOfEachNode) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Placement placement = find_placement(MPI_COMM_WORLD);
    EXPECT_EQ(placement.node_of_rank.size(), static_cast<std::size_t>(ranks));
    ASSERT_EQ(placement.nodes.size(), placement.ranks_on_node.size());
    EXPECT_EQ(std::accumulate(placement.ranks_on_node.begin(), placement.ranks_on_node.end(), 0), ranks);
    EXPECT_EQ(placement.nodes.front(), placement.node_of_rank.front()) << "in order of their first rank";
    EXPECT_EQ(placement.machines, 1);
    EXPECT_EQ(placement.most_ranks_on_a_machine, ranks);
    EXPECT_GE(placement.cores, 1);
}

TEST(Placement, ARunningSystemHasOneIdentity) {
    EXPECT_EQ(running_system(), running_system());
    EXPECT_FALSE(running_system().empty());
}

}  // namespace

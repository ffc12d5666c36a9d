// SPDX-License-Identifier: MIT
#include "extra_memory.hpp"

#include <gtest/gtest.h>

namespace {

using models::RankPlacement;
using Bytes = std::vector<std::size_t>;

Bytes of(const char* collective, const char* algorithm, const RankPlacement& layout, std::size_t bytes,
         int root = 0) {
    models::Call call;
    call.layout = &layout;
    call.bytes = bytes;
    call.root = root;
    return models::extra_memory(collective, algorithm, call).value();
}

}  // namespace

TEST(ExtraMemory, KnownCalls) {
    const RankPlacement four(4, 1, models::Mapping::block);
    EXPECT_EQ(of("bcast", "scatter_ring_allgather", four, 1 << 20), (Bytes{0, 0, 0, 0}));
    EXPECT_EQ(of("reduce", "binomial", four, 1000, 1), (Bytes{2000, 1000, 2000, 2000}));
    EXPECT_EQ(of("allreduce", "recursive_doubling", four, 1000), (Bytes{1000, 1000, 1000, 1000}));
    EXPECT_EQ(of("allgather", "brucks", four, 1000), (Bytes{4000, 4000, 4000, 4000}));
    EXPECT_EQ(of("reduce_scatter", "noncommutative", four, 1000), (Bytes{8000, 8000, 8000, 8000}));
    EXPECT_EQ(of("scatter", "binomial", four, 1000), (Bytes{0, 0, 2000, 0}));
    EXPECT_EQ(of("scatter", "binomial", four, 1000, 3), (Bytes{0, 2000, 0, 4000}));
}

TEST(ExtraMemory, GatherNeedsTheBlocksBelowInTheTree) {
    const RankPlacement six(6, 1, models::Mapping::block);
    EXPECT_EQ(of("gather", "binomial", six, 4096), (Bytes{0, 0, 4096, 0, 4096, 0}));
    EXPECT_EQ(of("gather", "binomial", six, 100), (Bytes{0, 100, 200, 100, 200, 100}))
        << "short blocks with the rank's own";
    EXPECT_EQ(of("gather", "binomial", six, 100, 1)[1], 600U) << "a root that is not rank 0";
}

TEST(ExtraMemory, SmpReducesWithABufferOnTheFirstRankOfEachNode) {
    const RankPlacement layout(2, 2, models::Mapping::block);
    const std::size_t counts = 2 * 4 * 4;  // counts and displacements of the ranks, at most
    EXPECT_EQ(of("allreduce", "smp", layout, 1000),
              (Bytes{1000 + counts, 2000 + counts, 1000 + counts, 2000 + counts}));
    EXPECT_EQ(of("reduce", "smp", layout, 1000)[3], 2000 + counts);
}

TEST(ExtraMemory, OfUnknownAlgorithmsNothingIsKnown) {
    const RankPlacement four(4, 1, models::Mapping::block);
    EXPECT_FALSE(models::most_extra_memory("allreduce", "magic", four, 8));
    EXPECT_FALSE(models::most_extra_memory("iallreduce", "sched_smp", four, 8));
    EXPECT_EQ(models::most_extra_memory("alltoall", "scattered:throttle=4", four, 1 << 20), 2U * 4 * 28);
}

TEST(ExtraMemory, TheMostIsOfAnyRoot) {
    const RankPlacement four(4, 1, models::Mapping::block);
    EXPECT_EQ(models::most_extra_memory("scatter", "binomial", four, 1000), 4000U);
}

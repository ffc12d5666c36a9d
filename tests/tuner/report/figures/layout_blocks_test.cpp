// SPDX-License-Identifier: MIT
#include "layout_blocks.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;
using namespace tuner::report;

// Two sizes, 4 x 3 layouts: rule 0 for two or more ranks on a node of the first three, at both sizes; one
// rank on one node is no job
LayoutMap map_of_blocks() {
    LayoutMap map = {"net", "bcast"};
    map.nodes = count_steps(4);
    map.ppn = count_steps(3);
    map.sizes = {64, 4096};
    for (std::size_t size = 0; size < 2; ++size) {
        for (std::size_t ppn = 0; ppn < 3; ++ppn) {
            for (std::size_t nodes = 0; nodes < 4; ++nodes) {
                map.choices.push_back(ppn > 0 && nodes < 3 ? 0 : LayoutMap::no_rule);
            }
        }
    }
    map.jobs.assign(12, true);
    map.jobs[0] = false;
    return map;
}

TEST(LayoutBlocks, NeighboursThatLookTheSameAreOne) {
    const std::map<int, Blocks> blocks = blocks_of(map_of_blocks(), look_of);
    const Blocks& ruled = blocks.at(0);
    ASSERT_EQ(ruled.size(), 2u) << "one for each size";
    for (std::size_t size = 0; size < 2; ++size) {
        EXPECT_EQ(ruled[size].size, size);
        EXPECT_EQ(ruled[size].first_nodes, 0u);
        EXPECT_EQ(ruled[size].end_nodes, 3u);
        EXPECT_EQ(ruled[size].first_ppn, 1u);
        EXPECT_EQ(ruled[size].end_ppn, 3u);
        EXPECT_EQ(ruled[size].fields(), 6u);
    }
    EXPECT_EQ(blocks.at(no_job).size(), 2u);
    EXPECT_EQ(blocks.at(no_job)[0].fields(), 1u);
}

TEST(LayoutBlocks, EachFieldIsInOne) {
    std::size_t fields = 0;
    for (const auto& [look, of_look] : blocks_of(map_of_blocks(), look_of)) {
        for (const Block& block : of_look) {
            fields += block.fields();
        }
    }
    EXPECT_EQ(fields, 24u);
}

}  // namespace

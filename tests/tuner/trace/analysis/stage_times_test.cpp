// SPDX-License-Identifier: MIT
#include "stage_times.hpp"

#include <gtest/gtest.h>

#include "loaded_trace.hpp"

namespace {

using namespace tuner::trace;

// Thakur, Rabenseifner and Gropp's blocks: 31 through an interface in a ring of 16x2 ranks, 60 in recursive
// doubling, all of them exchanged
TEST(TraceStageTimes, InterfaceBytesOfRingAndRecursiveDoubling) {
    made_up::World world;
    world.layout = models::RankPlacement(16, 2);
    made_up::Recorder recorder(world);
    recorder.call("allgather", "ring", 1000);
    recorder.call("allgather", "recursive_doubling", 1000);
    const made_up::Loaded recorded(recorder);
    for (const Kind& kind : recorded.analysis().kinds) {
        std::vector<double> bytes;
        double exchanged = 0;
        for (const StageTimes& stage : kind.stages) {
            bytes.push_back(stage.busiest_bytes);
            exchanged += stage.busiest_exchanged_bytes;
        }
        if (kind.key.algorithm == "ring") {
            EXPECT_EQ(bytes, std::vector<double>(31, 1000));
            EXPECT_EQ(exchanged, 0);
        } else {
            EXPECT_EQ(bytes, (std::vector<double>{0, 4000, 8000, 16000, 32000}));
            EXPECT_EQ(exchanged, 60000);
        }
        EXPECT_EQ(to_string(kind.key.shape), "16x2");
    }
}

}  // namespace

// SPDX-License-Identifier: MIT
// For tests: allgather by two algorithms in one trace.
#pragma once

#include "loaded_trace.hpp"

inline made_up::Recorder both_algorithms(const models::RankPlacement& layout = models::RankPlacement(16, 2)) {
    made_up::World world;
    world.layout = layout;
    world.byte_between = 80e-9;
    made_up::Recorder recorder(world);
    for (int i = 0; i < 8; ++i) {
        recorder.call("allgather", "ring", 4096);
        recorder.meet();
        recorder.call("allgather", "recursive_doubling", 4096);
        recorder.meet();
    }
    return recorder;
}

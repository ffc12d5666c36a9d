// SPDX-License-Identifier: MIT
// Writes traces with known answers, for tests of pictures. usage: made_up_trace PREFIX OTHER_PREFIX
//   PREFIX   32x2 ranks, rank 5 is late: allgather by a ring and by recursive doubling, alltoall with a great
//            many messages, broadcasts of 40 sizes
//   OTHER    the same ranks with nobody late, on links that take half the time
#include <fmt/core.h>

#include "made_up_trace.hpp"

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: made_up_trace PREFIX OTHER_PREFIX\n");
        return 2;
    }
    made_up::World world;
    world.layout = models::RankPlacement(32, 2);
    made_up::World other = world;
    world.late_rank = 5;
    world.late_seconds = 0.02;
    other.byte_between = world.byte_between / 2;
    made_up::Recorder recorder(world);
    made_up::Recorder other_recorder(other);
    for (int i = 0; i < 4; ++i) {
        for (const char* algorithm : {"ring", "recursive_doubling"}) {
            recorder.call("allgather", algorithm, 8192);
        }
        other_recorder.call("allgather", "ring", 8192);
        recorder.call("alltoall", "scattered", 512);
    }
    for (std::size_t size = 1; size <= 40; ++size) {
        recorder.call("bcast", "binomial", 64 * size);
    }
    recorder.write(argv[1]);
    other_recorder.write(argv[2]);
    return 0;
}

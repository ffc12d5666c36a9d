// SPDX-License-Identifier: MIT
#include "stages.hpp"

#include <gtest/gtest.h>

#include "recorded_trace.hpp"

namespace {

using namespace tuner::trace;

// The stage of a message is the round of the schedule where ranks go round by round together
TEST(TraceStages, StagesAreRounds) {
    for (const auto& [collective, algorithm, rounds] :
         {std::tuple("allgather", "ring", 7U), std::tuple("allgather", "recursive_doubling", 3U),
          std::tuple("bcast", "binomial", 3U)}) {
        made_up::Recorder recorder{made_up::World{}};
        recorder.call(collective, algorithm, 32768);
        const Recorded to;
        const Trace trace = written(recorder, to);
        const Matched matched = match(trace);
        std::map<std::uint32_t, std::size_t> by_stage;
        for (const Message& message : matched.messages) {
            ++by_stage[message.stage];
        }
        EXPECT_EQ(by_stage.size(), rounds) << algorithm;
        EXPECT_EQ(by_stage.rbegin()->first, rounds) << algorithm;
    }
}

}  // namespace

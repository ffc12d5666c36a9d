// SPDX-License-Identifier: MIT
#include "against_model.hpp"

#include <gtest/gtest.h>

#include "loaded_trace.hpp"

namespace {

using namespace tuner::trace;

// The parameters that the trace was made with: all assumptions hold. With another latency, that one fails.
TEST(AgainstModel, MessagesAgainstTheModel) {
    made_up::World world;
    made_up::Recorder recorder(world);
    for (const std::size_t bytes : {8U, 512U, 32768U, 131072U}) {
        recorder.call("bcast", "binomial", bytes);
        recorder.meet();
        recorder.call("allgather", "ring", bytes);
        recorder.meet();
    }
    const made_up::Loaded recorded(recorder);
    models::Parameters parameters;
    parameters.between.segments[0].latency_seconds = world.latency_between;
    parameters.between.segments[0].seconds_per_byte = world.byte_between;
    parameters.within.segments[0].latency_seconds = world.latency_within;
    parameters.within.segments[0].seconds_per_byte = world.byte_within;
    const auto holds = [&](const std::string& name) {
        for (const Assumption& assumption : against_model(recorded.loaded->matched, parameters).assumptions) {
            if (assumption.name == name) {
                return assumption.holds();
            }
        }
        ADD_FAILURE() << name;
        return false;
    };
    EXPECT_TRUE(holds("latency between nodes"));
    EXPECT_TRUE(holds("time per byte between nodes"));
    EXPECT_TRUE(holds("latency within a node"));
    parameters.between.segments[0].latency_seconds /= 3;
    EXPECT_FALSE(holds("latency between nodes"));
    EXPECT_TRUE(holds("time per byte between nodes"));
    parameters.between.segments[0].seconds_per_byte /= 2;
    EXPECT_FALSE(holds("time per byte between nodes"));
    EXPECT_TRUE(holds("time per byte within a node"));
}

}  // namespace

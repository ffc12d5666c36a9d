// SPDX-License-Identifier: MIT
#include "trace_text.hpp"

#include <gtest/gtest.h>

#include "loaded_trace.hpp"

namespace {

using namespace tuner::trace;

TEST(TraceJson, JsonHasWhatTheTextSays) {
    made_up::Recorder recorder{made_up::World{}};
    recorder.call("allgather", "ring", 4096);
    const made_up::Loaded recorded(recorder);
    const tuner::Json json = to_json(*recorded.loaded);
    EXPECT_EQ(json.at("messages"), 56);
    EXPECT_EQ(json.at("kinds").at(0).at("stages").size(), 7U);
    EXPECT_EQ(json.at("kinds").at(0).at("algorithm"), "ring");
    EXPECT_EQ(json.at("clocks").at("messages_too_early"), 0);
    EXPECT_NE(to_text(*recorded.loaded).find("allgather/ring 4Ki 4x2"), std::string::npos);
}

}  // namespace

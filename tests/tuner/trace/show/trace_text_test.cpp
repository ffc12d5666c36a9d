// SPDX-License-Identifier: MIT
#include "trace_text.hpp"

#include <gtest/gtest.h>

#include "loaded_trace.hpp"

namespace {

using namespace tuner::trace;

TEST(TraceText, KindsAndStagesHaveARowEach) {
    made_up::Recorder recorder{made_up::World{}};
    recorder.call("allgather", "ring", 4096);
    recorder.call("bcast", "binomial", 64);
    const made_up::Loaded recorded(recorder);
    EXPECT_EQ(kinds_table(recorded.analysis()).rows().size(), 3U) << "with the heading";
    EXPECT_EQ(kinds_left_out(recorded.analysis()), "");
    const auto stages = stages_table(recorded.analysis().kinds.at(0)).rows();
    ASSERT_GE(stages.size(), 2U);
    EXPECT_EQ(stages[0][0], "stage");
    EXPECT_TRUE(stages[1][0].starts_with("1")) << stages[1][0];
    EXPECT_NE(overview_text(*recorded.loaded).find("no message arrives before it is sent"),
              std::string::npos);
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "trace_figures.hpp"

#include <gtest/gtest.h>

#include "both_algorithms.hpp"

namespace {

using namespace tuner::trace;

TEST(WaitFigures, MediansAndWhatTheyMean) {
    made_up::World world;
    world.late_rank = 2;
    world.late_seconds = 0.005;
    made_up::Recorder recorder(world);
    for (int i = 0; i < 10; ++i) {
        recorder.call("barrier", "dissemination", 8);
        recorder.meet();
    }
    const made_up::Loaded recorded(recorder);
    const tuner::report::Figure figure = draw_waits(recorded.analysis().kinds.at(0));
    ASSERT_EQ(figure.key.size(), 2U);
    EXPECT_EQ(figure.key[0].label, "for the last arrival: median 5 ms");
    EXPECT_NE(figure.note.find("would save more than any algorithm"), std::string::npos) << figure.note;
}

}  // namespace

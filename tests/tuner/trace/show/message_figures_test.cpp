// SPDX-License-Identifier: MIT
#include "trace_figures.hpp"

#include <gtest/gtest.h>

#include "both_algorithms.hpp"

namespace {

using namespace tuner::trace;

TEST(MessageFigures, EveryMessageOfTheCallIsDrawn) {
    made_up::Recorder recorder{made_up::World{}};
    const std::size_t messages = recorder.call("bcast", "binomial", 1024);
    const made_up::Loaded recorded(recorder);
    const tuner::report::Figure figure = draw_messages(*recorded.loaded, recorded.analysis().kinds.at(0));
    const std::string start = "data-messages=\"";
    const std::size_t from = figure.attributes.find(start) + start.size();
    const tuner::Json drawn =
        tuner::Json::parse(figure.attributes.substr(from, figure.attributes.find('"', from) - from));
    EXPECT_EQ(drawn.size(), messages);
    EXPECT_EQ(drawn.at(0).at(2), 1024) << "bytes";
    ASSERT_GE(figure.key.size(), 3U);
    EXPECT_EQ(figure.key[0].label, "message within a node");
    EXPECT_EQ(figure.key[1].label, "message between nodes");
    EXPECT_EQ(figure.key[2].label, "on the critical path");
}

TEST(MessageFigures, WaitsForALateRankAreMarked) {
    made_up::World world;
    world.late_rank = 1;
    made_up::Recorder recorder(world);
    recorder.call("allgather", "ring", 64);
    const made_up::Loaded recorded(recorder);
    const tuner::report::Figure figure = draw_messages(*recorded.loaded, recorded.analysis().kinds.at(0));
    EXPECT_EQ(figure.key.back().label, "waits for a late rank");
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "trace_figures.hpp"

#include <gtest/gtest.h>

#include "both_algorithms.hpp"

namespace {

using namespace tuner::trace;

TEST(TimemapFigures, ALineForEachClassWithTheAxisInMicroseconds) {
    const made_up::Loaded recorded(both_algorithms());
    const Kind& kind = recorded.analysis().kinds.front();
    const tuner::report::Figure figure = draw_timemap(kind);
    EXPECT_NE(figure.title.find("16x2: time by stage"), std::string::npos) << figure.title;
    EXPECT_FALSE(figure.key.empty());
    EXPECT_NE(figure.attributes.find("data-kind=\"timemap\""), std::string::npos);
    EXPECT_EQ(figure.body.find("nan"), std::string::npos);
}

TEST(TimemapFigures, AlgorithmsOfOneCallHaveDifferentColours) {
    const made_up::Loaded recorded(both_algorithms());
    const tuner::report::Figure figure = draw_timemap(same_calls({recorded.loaded.get()}).at(0));
    ASSERT_EQ(figure.key.size(), 2U);
    EXPECT_NE(figure.key[0].classes, figure.key[1].classes);
    EXPECT_NE(figure.note.find("ring finishes first"), std::string::npos) << figure.note;
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "what_if.hpp"

#include <gtest/gtest.h>

#include "made_up_what_if.hpp"

namespace {

using namespace tuner;

TEST(WhatIf, NamesTheFastest) {
    EXPECT_EQ(answer_of(made_up_what_if()),
              "fast 4x2 is the fastest: 20 times as fast as slow 4x1 when both are tuned");
    WhatIf one = made_up_what_if();
    one.places.resize(1);
    EXPECT_EQ(answer_of(one), "") << "of one there is no fastest";
}

TEST(WhatIf, TextHasAllCallsAndTotals) {
    const std::string text = to_text(made_up_what_if());
    for (const char* part : {"SIMULATED", "bcast 1Ki", "allreduce 8", "slow 4x1", "fast 4x2", "all", "600 ms",
                             "3 calls are left out"}) {
        EXPECT_NE(text.find(part), text.npos) << part << " in\n" << text;
    }
}

TEST(WhatIf, JsonHasTheSameNumbers) {
    const Json json = to_json(made_up_what_if());
    EXPECT_EQ(json.at("simulated"), true);
    EXPECT_EQ(json.at("left_out"), 3);
    const Json& slow = json.at("platforms").at(0);
    EXPECT_EQ(slow.at("layout"), "4x1");
    EXPECT_DOUBLE_EQ(slow.at("seconds"), 0.6);
    EXPECT_DOUBLE_EQ(slow.at("tuned_seconds"), 0.4);
    EXPECT_EQ(slow.at("calls").at(1).at("best"), "binomial");
}

}  // namespace

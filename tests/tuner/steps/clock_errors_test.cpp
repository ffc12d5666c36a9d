// SPDX-License-Identifier: MIT
#include "clock_errors.hpp"

#include <gtest/gtest.h>

#include "verify.hpp"

namespace {

using namespace tuner;
using namespace tuner::commands;

RunData run_with(std::initializer_list<Json> headers) {
    RunData data;
    int number = 0;
    for (const Json& header : headers) {
        const std::string token = "job" + std::to_string(++number);
        Json started = {{"event", "job_started"}, {"token", token}, {"network", "eth"}};
        add_layout(started, {4, 2});
        data.events.push_back(std::move(started));
        data.events.push_back({{"event", "job_header"}, {"token", token}, {"header", header}});
    }
    return data;
}

Cells cells_with(std::initializer_list<double> seconds) {
    Cells cells;
    std::size_t bytes = 1;
    for (const double time : seconds) {
        Times& times = cells[{"eth", {4, 2}, "bcast", ""}].times[bytes];
        times["default"].time = {bytes, 2 * time, {}};
        times["binomial"].time = {bytes, time, {}};
        bytes *= 2;
    }
    return cells;
}

TEST(ClockErrors, AreNotedIfTheyAreLongerThanMostCalls) {
    const RunData coarse = run_with({{{"sync_error_us", 3000}}, {{"sync_error_us", 4000}}});
    const std::string note = coarse_clocks_note(coarse, cells_with({1e-3, 2e-3, 0.1}));
    EXPECT_TRUE(note.starts_with("2 of 3 sizes: clocks agree only within 3 ms: which algorithm")) << note;
    EXPECT_EQ(why_not_determined({"bcast: ring was dropped: no gain", note}), note);
    EXPECT_EQ(why_not_determined({"bcast: ring was dropped: no gain"}), "");
    EXPECT_EQ(coarse_clocks_note(coarse, cells_with({1e-3, 0.2, 0.1})), "") << "most calls are longer";
}

TEST(ClockErrors, OfTheJobThatKnewTheTimeBest) {
    EXPECT_EQ(
        coarse_clocks_note(run_with({{{"sync_error_us", 3000}}, {{"sync_error_us", 2}}}), cells_with({1e-3})),
        "");
    EXPECT_EQ(
        coarse_clocks_note(run_with({Json::object(), {{"sync_error_us", nullptr}}}), cells_with({1e-3})), "");
    EXPECT_EQ(coarse_clocks_note({}, {}), "");
}

}  // namespace

// SPDX-License-Identifier: MIT
#include "match_messages.hpp"

#include <gtest/gtest.h>

#include "recorded_trace.hpp"

namespace {

using namespace tuner::trace;

// Messages of two tags between the same ranks, whose receives are posted the other way round
TEST(TraceMessages, LanesAreMatchedByThemselves) {
    made_up::World world;
    world.layout = models::RankPlacement(2, 1);
    made_up::Recorder recorder(world);
    recorder.call("bcast", "binomial", 512);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        auto& events = recorder.events_of(rank);
        const auto first = std::find_if(events.begin(), events.end(), [](const FileEvent& event) {
            return event.kind == static_cast<std::uint8_t>(EventKind::send) ||
                   event.kind == static_cast<std::uint8_t>(EventKind::receive);
        });
        ASSERT_NE(first, events.end());
        FileEvent second = *first;
        second.bytes = 100;
        second.flags = static_cast<std::uint8_t>(second.flags | 1 << 3);
        second.time_ns += rank == 0 ? 10 : -10;
        events.insert(rank == 0 ? first + 1 : first, second);
    }
    const Recorded to;
    const Trace trace = written(recorder, to);
    const Matched matched = match(trace);
    expect_all_matched(matched);
    EXPECT_TRUE(matched.remarks.empty());
    ASSERT_EQ(matched.messages_of(0).size(), 2U);
    EXPECT_NE(matched.messages_of(0)[0].bytes, matched.messages_of(0)[1].bytes);
}

}  // namespace

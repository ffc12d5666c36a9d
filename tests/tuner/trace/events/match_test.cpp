// SPDX-License-Identifier: MIT
// Calls and messages of all ranks put together, on one clock: counts are known exactly.
#include "match.hpp"

#include <gtest/gtest.h>

#include "recorded_trace.hpp"

namespace {

using namespace tuner::trace;

// Every blocking algorithm that can run there, also with ranks that are no power of two
TEST(TraceMatch, CountsOfEverySchedule) {
    for (const models::RankPlacement& layout :
         {models::RankPlacement(3, 2), models::RankPlacement(4, 2), models::RankPlacement(5, 1)}) {
        for (const models::Algorithm& algorithm : models::algorithms()) {
            models::Call call{&layout, 4096};
            call.element_bytes = 4;
            if (!models::is_allowed(algorithm, call)) {
                continue;
            }
            made_up::World world;
            world.layout = layout;
            made_up::Recorder recorder(world);
            std::size_t expected = 0;
            for (int i = 0; i < 2; ++i) {
                expected +=
                    recorder.call(std::string(algorithm.collective), std::string(algorithm.name), 4096);
            }
            const Recorded to;
            const Trace trace = written(recorder, to);
            const Matched matched = match(trace);
            SCOPED_TRACE(std::string(algorithm.collective) + "/" + std::string(algorithm.name));
            EXPECT_EQ(matched.messages.size(), expected);
            ASSERT_EQ(matched.calls.size(), 2U);
            EXPECT_TRUE(matched.calls[0].is_complete);
            EXPECT_EQ(matched.calls[0].collective, algorithm.collective);
            EXPECT_EQ(matched.calls[0].algorithm, algorithm.name);
            expect_all_matched(matched);
            EXPECT_EQ(matched.alignment.messages_too_early, 0U);
        }
    }
}

TEST(TraceMatch, ClocksThatAreShiftedAndDrift) {
    made_up::World world;
    world.shift_seconds = {0, 0, 1, 1, -1, -1, 0.3, 0.3};
    world.drift = {0, 0, 1e-4, 1e-4, -1e-4, -1e-4, 5e-5, 5e-5};
    made_up::World same = world;
    same.shift_seconds.clear();
    same.drift.clear();
    same.sync_error_seconds = 0;
    made_up::Recorder recorder(world);
    made_up::Recorder reference(same);
    for (int i = 0; i < 200; ++i) {
        recorder.call("allreduce", "recursive_doubling", 8);
        reference.call("allreduce", "recursive_doubling", 8);
    }
    const Recorded to;
    const Recorded to_reference;
    const Trace trace = written(recorder, to);
    const Trace reference_trace = written(reference, to_reference);
    const Matched matched = match(trace);
    const Matched truth = match(reference_trace);
    expect_all_matched(matched);
    EXPECT_EQ(matched.alignment.messages_too_early, 0U);
    EXPECT_EQ(matched.alignment.largest_error_ns, 1000);
    ASSERT_EQ(matched.participants.size(), truth.participants.size());
    for (std::size_t i = 0; i < truth.participants.size(); ++i) {
        EXPECT_NEAR(static_cast<double>(matched.participants[i].enter_ns),
                    static_cast<double>(truth.participants[i].enter_ns), 1000);
    }
}

TEST(TraceMatch, ClocksWorseThanTheySay) {
    made_up::World world;
    world.layout = models::RankPlacement(2, 1);
    made_up::Recorder recorder(world);
    recorder.call("barrier", "dissemination", 8);
    for (FileEvent& event : recorder.events_of(1)) {
        event.time_ns += 10'000'000;  // behind the back of the synchronisation
        event.end_ns += event.kind == static_cast<std::uint8_t>(EventKind::send) ||
                                event.kind == static_cast<std::uint8_t>(EventKind::receive)
                            ? 10'000'000
                            : 0;
    }
    const Recorded to;
    const Trace trace = written(recorder, to);
    const Matched matched = match(trace);
    EXPECT_EQ(matched.alignment.messages_too_early, 1U);
    EXPECT_NEAR(static_cast<double>(matched.alignment.largest_too_early_ns), 1e7, 1e6);
}

TEST(TraceMatch, MissingRanksAndCutFilesAreCounted) {
    made_up::World world;
    world.layout = models::RankPlacement(4, 1);
    made_up::Recorder recorder(world);
    for (int i = 0; i < 10; ++i) {
        recorder.call("allgather", "ring", 1024);
    }
    const Recorded to;
    recorder.write(to.prefix);
    std::filesystem::remove(to.prefix + ".3.events");
    const Trace trace = read_trace(to.prefix);
    const Matched matched = match(trace);
    EXPECT_EQ(matched.unmatched_calls.at("a member's file is missing or cannot be used"), 30U);
    // of 3 rounds and 4 messages in each, 3 + 3 have one end on rank 3
    EXPECT_EQ(matched.messages.size(), 10U * (12 - 6));
    EXPECT_EQ(matched.unmatched_messages.at("the other rank has no record of the call"), 10U * 6);
}

TEST(TraceMatch, RingOverwrittenAndUnfinishedCalls) {
    made_up::World world;
    world.layout = models::RankPlacement(2, 1);
    made_up::Recorder recorder(world);
    for (int i = 0; i < 3; ++i) {
        recorder.call("barrier", "dissemination", 8);
    }
    recorder.events_of(0).erase(recorder.events_of(0).begin());  // the first entry
    recorder.events_of(1).pop_back();                            // the last exit
    const Recorded to;
    const Trace trace = written(recorder, to);
    const Matched matched = match(trace);
    EXPECT_EQ(matched.unmatched_calls.at("its beginning was overwritten"), 1U);
    EXPECT_EQ(matched.unmatched_calls.at("it had not ended on all ranks when the files were written"), 2U);
    EXPECT_EQ(matched.unmatched_calls.at("a member has no record of it"), 1U);
    EXPECT_EQ(std::count_if(matched.calls.begin(), matched.calls.end(),
                            [](const Call& c) { return c.is_complete; }),
              1);
}

// A call whose messages are those of a call inside of it
TEST(TraceMatch, NestedCallsBelongToTheOutermost) {
    made_up::World world;
    world.layout = models::RankPlacement(2, 1);
    made_up::Recorder recorder(world);
    recorder.call("bcast", "binomial", 512);
    const std::uint16_t smp = recorder.name("bcast/smp");
    for (std::size_t rank = 0; rank < 2; ++rank) {
        auto& events = recorder.events_of(rank);
        const FileEvent enter = events.front();
        for (FileEvent& event : events) {
            event.call = 1;
        }
        events.front().end_ns = std::bit_cast<std::int64_t>(FileEvent::Enter{0, recorder.name("bcast/"), 1});
        events.front().detail = 7;
        events.insert(events.begin(), enter);
        FileEvent exit = events.back();
        exit.call = 0;
        exit.index = smp;
        events.push_back(exit);
    }
    const Recorded to;
    const Trace trace = written(recorder, to);
    const Matched matched = match(trace);
    expect_all_matched(matched);
    ASSERT_EQ(matched.calls.size(), 2U);
    EXPECT_EQ(matched.calls[0].algorithm, "smp");
    EXPECT_EQ(matched.calls[1].algorithm, "binomial");
    EXPECT_TRUE(matched.is_outermost(0));
    EXPECT_EQ(matched.calls[1].outermost, 0U);
    EXPECT_EQ(matched.messages_of(0).size(), 1U);
}

}  // namespace

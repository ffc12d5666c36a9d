// SPDX-License-Identifier: MIT
// What is written of made-up traces, and that the replay's reader understands it.
#include "replay_program.hpp"

#include "checked_json.hpp"
#include "error.hpp"
#include "recorded_trace.hpp"
#include "replay_file.hpp"

namespace {

using namespace tuner::trace;
using tuner::Json;

made_up::World two_ranks() {
    made_up::World world;
    world.layout = models::RankPlacement(2, 1);
    world.pause_seconds = 1e-3;
    return world;
}

struct Written {
    Recorded to;
    Trace trace;
    Matched matched;
    explicit Written(const made_up::Recorder& recorder)
        : trace(written(recorder, to)), matched(match(trace)) {}
    std::string text() const { return replay_program(matched); }
    Json head() const {
        const std::string all = text();
        return Json::parse(all.substr(0, all.find('\n')));
    }
};

FileEvent& enter_of(made_up::Recorder& recorder, std::size_t rank) {
    return recorder.events_of(rank).at(0);
}

TEST(ReplayProgram, IsReadAsItWasWritten) {
    made_up::Recorder recorder(two_ranks());
    recorder.call("bcast", "binomial", 64, 1);
    recorder.call("allreduce", "recursive_doubling", 8);
    recorder.call("allreduce", "recursive_doubling", 8);
    const bench::ReplayFile file(Written(recorder).text(), "t");
    const bench::ReplayProgram program = file.program();
    file.check(program);
    EXPECT_EQ(program.ranks, 2);
    EXPECT_EQ(program.node_of_rank, (std::vector{0, 1}));
    EXPECT_EQ(program.communicators, (std::vector<std::vector<int>>{{0, 1}}));
    ASSERT_EQ(program.calls.size(), 2U);
    EXPECT_EQ(program.calls[0].collective, "bcast");
    EXPECT_EQ(program.calls[0].bytes, 64U);
    EXPECT_EQ(program.calls[0].root, 1);
    EXPECT_EQ(program.calls[1].number, 2U);
    EXPECT_GT(program.calls[1].recorded_seconds, 0);
    EXPECT_GT(program.recorded_seconds, 2e-3) << "two pauses";
    EXPECT_LT(program.recorded_seconds, 4e-3);
    const std::vector<bench::ReplayStep> steps = file.steps(program, 1);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_NEAR(steps[0].compute_seconds, 0, 1e-5);
    EXPECT_NEAR(steps[1].compute_seconds, 1e-3, 1e-5);
    EXPECT_EQ(steps[2].number, 1U);
    EXPECT_TRUE(program.omitted.empty());
}

TEST(ReplayProgram, LateRanksAreLateAgain) {
    made_up::World world = two_ranks();
    world.late_rank = 1;
    made_up::Recorder recorder(world);
    recorder.call("barrier", "dissemination", 0);
    const bench::ReplayFile file(Written(recorder).text(), "t");
    EXPECT_NEAR(file.steps(file.program(), 0).at(0).compute_seconds, 0, 1e-5);
    EXPECT_NEAR(file.steps(file.program(), 1).at(0).compute_seconds, 5e-3, 1e-5);
}

TEST(ReplayProgram, OwnSizesAreReplayedByTheirMean) {
    made_up::Recorder recorder(two_ranks());
    recorder.call("allgather", "ring", 96);
    for (const std::size_t rank : {0U, 1U}) {
        const auto name = recorder.name("gatherv/");
        enter_of(recorder, rank).end_ns = std::bit_cast<std::int64_t>(FileEvent::Enter{-1, name, 0});
        enter_of(recorder, rank).bytes = rank == 0 ? 96 : 32;
        recorder.events_of(rank).back().index = name;
    }
    const Json head = Written(recorder).head();
    EXPECT_EQ(head.at("calls").at(0).at("collective"), "gather");
    EXPECT_EQ(head.at("calls").at(0).at("bytes"), 64);
    EXPECT_NE(head.at("approximated").dump().find("equal counts in 1 call(s)"), std::string::npos);
}

TEST(ReplayProgram, NonblockingCallsStartAndAreWaitedFor) {
    made_up::Recorder recorder(two_ranks());
    recorder.call("allreduce", "recursive_doubling", 8);
    for (const std::size_t rank : {0U, 1U}) {
        const auto name = recorder.name("iallreduce/");
        enter_of(recorder, rank).end_ns = std::bit_cast<std::int64_t>(FileEvent::Enter{-1, name, 0});
        enter_of(recorder, rank).flags = flag_nonblocking;
        recorder.events_of(rank).back().index = name;
    }
    const Written written(recorder);
    EXPECT_EQ(written.head().at("calls").at(0).at("collective"), "iallreduce");
    const bench::ReplayFile file(written.text(), "t");
    const std::vector<bench::ReplayStep> steps = file.steps(file.program(), 0);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_TRUE(steps[1].is_wait);
}

TEST(ReplayProgram, WhatIsNotCompleteIsOmittedAndSaid) {
    made_up::Recorder recorder(two_ranks());
    recorder.call("barrier", "dissemination", 0);
    recorder.call("allreduce", "recursive_doubling", 8);
    recorder.events_of(1).pop_back();  // it did not end there
    const Json head = Written(recorder).head();
    EXPECT_EQ(head.at("calls").size(), 1U);
    EXPECT_EQ(head.at("omitted").at(0), "1 call(s): not recorded on all of its ranks from entry to exit");
}

std::string error_of(const Written& written) {
    try {
        written.text();
    } catch (const tuner::Error& error) {
        const std::string what = error.what();
        EXPECT_EQ(what.find(written.to.prefix), 0U) << what;
        return what;
    }
    return "";
}

TEST(ReplayProgram, NothingToReplayIsAnError) {
    made_up::Recorder recorder(two_ranks());
    recorder.call("allreduce", "recursive_doubling", 8);
    recorder.events_of(1).clear();
    EXPECT_NE(error_of(Written(recorder)).find("there is no call to replay"), std::string::npos);
}

TEST(ReplayProgram, CallsOfSeveralThreadsAreAnError) {
    made_up::Recorder recorder(two_ranks());
    recorder.call("allreduce", "recursive_doubling", 8);
    recorder.call("allreduce", "recursive_doubling", 8);
    for (FileEvent& event : recorder.events_of(1)) {
        if (event.call == 0 && event.kind == static_cast<std::uint8_t>(EventKind::exit)) {
            event.time_ns += 1'100'000;  // behind the beginning of the second one
        }
    }
    EXPECT_NE(error_of(Written(recorder)).find("rank 1 made collective calls in several threads"),
              std::string::npos);
}

TEST(ReplayProgram, FilesOfAllRanksAreNeeded) {
    made_up::Recorder recorder(two_ranks());
    recorder.call("allreduce", "recursive_doubling", 8);
    const Recorded to;
    recorder.write(to.prefix);
    std::filesystem::remove(to.prefix + ".1.events");
    const Trace trace = read_trace(to.prefix);
    EXPECT_THROW(replay_program(match(trace)), tuner::Error);
}

}  // namespace

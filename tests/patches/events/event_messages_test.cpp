// SPDX-License-Identifier: MIT
// The event collectors record exactly the messages that the schedules of the models hold, for every blocking
// algorithm: who, to or from whom, how many bytes. Each rank looks at its own file.
#include <gtest/gtest.h>
#include <mpi.h>
#include <mpix_coll.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "control_variable.hpp"
#include "event_file.hpp"
#include "library.hpp"
#include "library_calls.hpp"
#include "pattern.hpp"
#include "schedule.hpp"

namespace {

// kind, world rank of the peer, bytes
using Message = std::tuple<int, int, std::uint64_t>;

struct Made {
    const models::Algorithm* algorithm;
    std::size_t bytes;
    int root;
    std::vector<Message> messages;  // by the schedule, sorted
};

// Messages to itself only where the library sends them, too
std::vector<Message> expected_of(const models::Algorithm& algorithm, const models::Call& call, int rank) {
    const bool sends_to_itself = algorithm.name == "scattered";
    std::vector<Message> expected;
    models::for_each_round(algorithm.schedule(call), [&](const models::Round& round) {
        for (const models::Message& message : round.messages()) {
            if (message.source == message.destination && !sends_to_itself) {
                continue;
            }
            if (message.source == rank) {
                expected.emplace_back(event_file::send, message.destination, message.bytes);
            }
            if (message.destination == rank) {
                expected.emplace_back(event_file::receive, message.source, message.bytes);
            }
        }
    });
    std::sort(expected.begin(), expected.end());
    return expected;
}

// One call of each algorithm, in odd sizes, and for each part of the smp algorithms
std::vector<Made> make_calls(const models::RankPlacement& layout, int rank) {
    const bench::ControlVariable enable("MPIR_CVAR_COLL_EVENTS_ENABLE");
    const auto library = bench::make_library(MPI_COMM_WORLD);
    std::vector<Made> made;
    for (const models::Algorithm& algorithm : models::algorithms()) {
        const bench::Pattern& pattern = *bench::find_pattern(std::string(algorithm.collective));
        library->choose(pattern, std::string(algorithm.name));
        for (const std::size_t bytes : {1u, 13u, 1000u, 5000u, 20001u, 600000u}) {
            for (const int root : {0, layout.ranks() - 1}) {
                const models::Call call{&layout, bytes, root};
                const bool is_costly = bytes > 500000 && algorithm.parts == nullptr;
                if (is_costly || !models::is_allowed(algorithm, call)) {
                    continue;
                }
                enable.write(1);
                call_library(algorithm.collective, call);
                enable.write(0);
                made.push_back({&algorithm, bytes, root, expected_of(algorithm, call, rank)});
            }
        }
    }
    return made;
}

TEST(EventMessages, EqualThoseOfTheSchedules) {
    const char* prefix = std::getenv("MPIR_CVAR_COLL_EVENTS_FILE");
    ASSERT_NE(prefix, nullptr);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const models::RankPlacement layout = layout_of_job(ranks);
    const std::vector<Made> made = make_calls(layout, rank);
    EXPECT_GT(made.size(), 150u);
    ASSERT_EQ(MPIX_Coll_events_write(), MPI_SUCCESS);

    const event_file::File file = event_file::read(event_file::name_of(prefix, rank));
    EXPECT_EQ(file.header.world_rank, rank);
    EXPECT_EQ(file.header.world_size, ranks);
    EXPECT_EQ(file.header.events_lost, 0u);
    EXPECT_EQ(file.header.calls_recorded, made.size());
    const auto calls = file.calls();
    std::vector<std::uint32_t> outermost;                    // ids in the order of the calls
    std::map<std::uint32_t, std::vector<Message>> recorded;  // with those of nested calls
    for (const auto& [id, call] : calls) {
        ASSERT_TRUE(call.has_exit);
        EXPECT_LE(call.enter.time_ns, call.exit.time_ns);
        std::uint32_t top = id;
        while (calls.at(top).enter.parent() >= 0) {
            top = static_cast<std::uint32_t>(calls.at(top).enter.parent());
        }
        if (top == id) {
            outermost.push_back(id);
            EXPECT_EQ(call.enter.depth(), 0);
        }
        for (const event_file::Event& event : call.events) {
            EXPECT_FALSE(event.flags & event_file::incomplete);
            EXPECT_LE(call.enter.time_ns, event.time_ns);
            EXPECT_LE(event.time_ns + event.posted_delta_ns, event.end_ns);
            EXPECT_LE(event.end_ns, call.exit.time_ns);
            if (event.kind == event_file::send || event.kind == event_file::receive) {
                recorded[top].emplace_back(event.kind, file.world_rank(call, event.peer), event.bytes);
            }
        }
    }
    ASSERT_EQ(outermost.size(), made.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
        const Made& expected = made[i];
        const event_file::Call& call = calls.at(outermost[i]);
        const std::string collective(expected.algorithm->collective);
        const std::string name = collective + "/" + std::string(expected.algorithm->name);
        SCOPED_TRACE(name + ", " + std::to_string(expected.bytes) + " bytes, root " +
                     std::to_string(expected.root));
        EXPECT_EQ(file.collective(call), collective + "/");
        EXPECT_EQ(file.algorithm(call), name);
        if (collective != "barrier") {
            EXPECT_EQ(call.enter.bytes, expected.bytes);
        }
        std::vector<Message>& messages = recorded[outermost[i]];
        std::sort(messages.begin(), messages.end());
        EXPECT_EQ(messages, expected.messages);
    }
}

}  // namespace

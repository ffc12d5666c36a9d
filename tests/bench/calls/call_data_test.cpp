// SPDX-License-Identifier: MIT
// The buffers of a call: every collective gives the right result with them, and a call that was not made is
// found.
#include "call_data.hpp"

#include <gtest/gtest.h>

#include "request.hpp"

namespace {

using namespace bench;

GroupSpec group_of(const Pattern& pattern, std::size_t bytes, const std::string& operation = "sum") {
    GroupSpec group = {&pattern, bytes, {"default"}, &find_elements("int", operation)};
    group.parameters = parameters_of({}, pattern);
    return group;
}

struct World {
    int rank = 0;
    int ranks = 0;
    World() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    }
    CallData data_for(const Pattern& pattern) const {
        const GroupSpec group = group_of(pattern, 64);
        return {group, "default", rank, ranks, buffers_for(group, rank, ranks)};
    }
};

unsigned long long wrong_on_all_ranks(const CallData& data) {
    unsigned long long wrong = data.wrong_elements();
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return wrong;
}

TEST(CallData, EveryCollectiveIsRight) {
    const World world;
    const Clock clock(ClockSource::monotonic_raw);
    for (const Pattern* pattern : patterns()) {
        if (pattern->is_exchange()) {
            continue;
        }
        CallData data = world.data_for(*pattern);
        data.fill();
        data.call(MPI_COMM_WORLD, clock);
        EXPECT_EQ(wrong_on_all_ranks(data), 0U) << pattern->name;
    }
}

// Also of a size that is no multiple of the ranks, of one element, and with an operation that does not
// commute
TEST(CallData, EveryMockUpIsRight) {
    const World world;
    const Clock clock(ClockSource::monotonic_raw);
    std::size_t mock_ups = 0;
    for (const Pattern* pattern : patterns()) {
        for (const models::Guideline& guideline : models::guidelines_of(pattern->name)) {
            const std::string name(guideline.mock_up);
            const MockUp* mock_up = find_mock_up(*pattern, name);
            ASSERT_NE(mock_up, nullptr) << pattern->name << " " << name;
            for (const char* operation : {"sum", "ordered"}) {
                for (const std::size_t bytes : {4, 64, 4096}) {
                    if (bytes / sizeof(int) < mock_up->fewest_elements) {
                        continue;
                    }
                    GroupSpec group = group_of(*pattern, bytes, operation);
                    group.algorithms = {name};
                    for (const int root : {0, world.ranks - 1}) {
                        CallData data(group, name, world.rank, world.ranks,
                                      buffers_for(group, world.rank, world.ranks));
                        data.set_root(root);
                        data.fill();
                        EXPECT_TRUE(pattern->name == "barrier" || pattern->name == "ibarrier" ||
                                    wrong_on_all_ranks(data) > 0);
                        data.call(MPI_COMM_WORLD, clock);
                        EXPECT_EQ(wrong_on_all_ranks(data), 0U) << pattern->name << " " << name << " "
                                                                << bytes << " " << operation << " " << root;
                    }
                    ++mock_ups;
                }
            }
        }
    }
    EXPECT_GT(mock_ups, 300U);
}

TEST(CallData, ACallThatWasNotMadeIsFound) {
    const World world;
    for (const char* name : {"bcast", "allreduce", "alltoall", "scatter"}) {
        CallData data = world.data_for(*find_pattern(name));
        data.fill();
        EXPECT_GT(wrong_on_all_ranks(data), 0U) << name;
    }
}

TEST(CallData, TheResultOfAnotherAlgorithmIsNotTakenForItsOwn) {
    const World world;
    const Clock clock(ClockSource::monotonic_raw);
    for (const char* name : {"bcast", "allreduce", "alltoall", "scatter"}) {
        const GroupSpec group = group_of(*find_pattern(name), 64);
        const auto buffers = buffers_for(group, world.rank, world.ranks);
        CallData first(group, "default", world.rank, world.ranks, buffers);
        CallData second(group, "default", world.rank, world.ranks, buffers);
        first.fill();
        first.call(MPI_COMM_WORLD, clock);
        EXPECT_EQ(wrong_on_all_ranks(second), 0U) << "they have the same buffers; " << name;
        second.fill();
        EXPECT_GT(wrong_on_all_ranks(second), 0U) << name;
    }
}

TEST(CallData, AnyRankMayBecomeTheRoot) {
    const World world;
    const Clock clock(ClockSource::monotonic_raw);
    for (const char* name : {"bcast", "gather", "scatter", "reduce"}) {
        CallData data = world.data_for(*find_pattern(name));
        data.set_root(world.ranks - 1);
        data.fill();
        data.call(MPI_COMM_WORLD, clock);
        EXPECT_EQ(wrong_on_all_ranks(data), 0U) << name;
    }
}

TEST(MemoryOf, CountsBothBuffersOnceForAllAlgorithms) {
    GroupSpec group = group_of(*find_pattern("allgather"), 64);
    EXPECT_EQ(memory_of(group, 8), 64U + 8 * 64U);
    group.algorithms = {"default", "ring"};
    EXPECT_EQ(memory_of(group, 8), 64U + 8 * 64U);
}

TEST(MemoryOf, CountsTheScratchMemoryOfMockUps) {
    GroupSpec group = group_of(*find_pattern("gather"), 64);
    group.algorithms = {"default", "mockup:allgather"};
    EXPECT_EQ(memory_of(group, 8), 64U + 8 * 64U + 8 * 64U);
}

}  // namespace

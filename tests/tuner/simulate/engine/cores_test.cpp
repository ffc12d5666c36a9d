// SPDX-License-Identifier: MIT
#include "cores.hpp"

#include <gtest/gtest.h>

#include "star.hpp"

namespace {

using namespace tuner;

struct Done {
    int rank;
    double at;
};

// Ranks that each have some seconds to do, all at once
std::vector<Done> done_on(Cores& cores, const std::vector<std::pair<int, double>>& tasks) {
    star();
    std::vector<Done> done;
    const double start = simgrid::s4u::Engine::get_clock();
    for (const auto& [rank, seconds] : tasks) {
        cores.run(rank, seconds, [&done, start, rank = rank] {
            done.push_back({rank, simgrid::s4u::Engine::get_clock() - start});
        });
    }
    simgrid::s4u::Engine::get_instance()->run();
    return done;
}

TEST(Cores, RanksWaitForEachOther) {
    Cores cores(2, 3, 0, 0);
    const std::vector<Done> done = done_on(cores, {{0, 1}, {1, 2}, {2, 1}});
    ASSERT_EQ(done.size(), 3);
    EXPECT_DOUBLE_EQ(done[0].at, 1);
    EXPECT_DOUBLE_EQ(done[1].at, 2);
    EXPECT_DOUBLE_EQ(done[2].at, 2);
}

TEST(Cores, TheOneThatBeganToWaitLastIsNext) {
    Cores cores(1, 4, 0, 0);
    const std::vector<Done> done = done_on(cores, {{0, 1}, {1, 1}, {2, 1}, {3, 1}});
    ASSERT_EQ(done.size(), 4);
    EXPECT_EQ(done[1].rank, 3);
    EXPECT_EQ(done[2].rank, 2);
    EXPECT_EQ(done[3].rank, 1);
}

TEST(Cores, ARankKeepsItsCoreUntilItHasNothingToDo) {
    Cores cores(1, 2, 0.5, 0.25);
    const std::vector<Done> done = done_on(cores, {{0, 1}, {1, 1}, {0, 1}});
    ASSERT_EQ(done.size(), 3);
    EXPECT_EQ(done[1].rank, 0);
    EXPECT_DOUBLE_EQ(done[0].at, 0.25 + 0.5 + 1) << "the core had to wake up";
    EXPECT_DOUBLE_EQ(done[1].at, 0.25 + 0.5 + 2);
    EXPECT_DOUBLE_EQ(done[2].at, 0.25 + 0.5 + 2 + 0.5 + 1);
}

}  // namespace

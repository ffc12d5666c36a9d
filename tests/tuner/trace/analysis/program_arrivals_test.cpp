// SPDX-License-Identifier: MIT
#include "program_arrivals.hpp"

#include <gtest/gtest.h>

#include "made_up_trace.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;
using namespace tuner::trace;

// A program whose ranks come as the world says
std::optional<models::Arrival> of(const made_up::World& world) {
    TemporaryFolder folder;
    made_up::Recorder recorder(world);
    for (int i = 0; i < 20; ++i) {
        recorder.call("allreduce", "recursive_doubling", 1 << 16);
        recorder.call("allgather", "ring", 16384);
    }
    const std::string prefix = (folder.path / "t").string();
    recorder.write(prefix);
    return arrival_of(LoadedTrace(prefix).analysis);
}

// Kinds as an analysis has them: calls with these times from the first and from the last arrival on
Kind kind(std::vector<double> whole_seconds, std::vector<double> seconds, std::vector<std::size_t> last) {
    Kind kind;
    kind.key.shape.ranks = static_cast<int>(last.size());
    kind.calls.resize(seconds.size());
    kind.whole_seconds = std::move(whole_seconds);
    kind.seconds = std::move(seconds);
    kind.arrivals.last = std::move(last);
    return kind;
}

TEST(ProgramArrivals, ARankThatIsAlwaysLate) {
    made_up::World world;
    world.late_rank = 5;
    const std::optional<models::Arrival> arrival = of(world);
    ASSERT_TRUE(arrival);
    EXPECT_EQ(arrival->pattern->name, "one-late");
    EXPECT_GT(arrival->width, 0.3);
    EXPECT_LE(arrival->width, 5) << "5 ms beside calls of some hundred us";
}

TEST(ProgramArrivals, TheWidthIsThatOfMostOfTheTime) {
    Analysis analysis;
    analysis.kinds = {kind({15, 15, 15}, {10, 10, 10}, {1, 1, 1, 0}), kind({1}, {0.1}, {0, 0, 0, 1})};
    const std::optional<models::Arrival> arrival = arrival_of(analysis);
    ASSERT_TRUE(arrival);
    EXPECT_EQ(models::to_string(*arrival), "random:0.5");
}

TEST(ProgramArrivals, OfTwoRanksOneIsTheLastByChance) {
    Analysis analysis;
    analysis.kinds = {kind({20, 20}, {10, 10}, {2, 0})};
    EXPECT_EQ(models::to_string(arrival_of(analysis).value()), "random:1");
}

TEST(ProgramArrivals, NearlyTogetherIsTogether) {
    Analysis analysis;
    EXPECT_FALSE(arrival_of(analysis));
    analysis.kinds = {kind({10.5, 10.5}, {10, 10}, {1, 1, 0})};
    EXPECT_FALSE(arrival_of(analysis));
}

TEST(ProgramArrivals, NobodyWaitsAtTheStartOfANonblockingCall) {
    Analysis analysis;
    analysis.kinds = {kind({20, 20}, {10, 10}, {1, 1, 0})};
    analysis.kinds.front().key.is_nonblocking = true;
    EXPECT_FALSE(arrival_of(analysis));
}

}  // namespace

// SPDX-License-Identifier: MIT
// What a job finds out once: its header, and which groups cannot be measured in it.
#include "session.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

class SessionOf : public testing::Test {
  protected:
    SessionOf() : session_(MPI_COMM_WORLD, options()) {}

    static SessionOptions options() {
        SessionOptions options;
        options.command_line = "a test";
        options.memory_limit = std::size_t{1} << 20;
        options.settings.seed = 42;
        return options;
    }
    std::string problem(const GroupSpec& group) const { return session_.problem_with(group); }

    Session session_;
};

GroupSpec group_of(const char* pattern, std::size_t bytes, const char* datatype = "byte") {
    return {find_pattern(pattern), bytes, {"default"}, &find_elements(datatype, "sum")};
}

TEST_F(SessionOf, HasAHeader) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Header& header = session_.header();
    EXPECT_EQ(header.command_line, "a test");
    EXPECT_EQ(header.ranks, ranks);
    EXPECT_EQ(header.placement.node_of_rank.size(), static_cast<std::size_t>(ranks));
    EXPECT_EQ(header.seed, 42U);
    EXPECT_NE(header.start, StartMode::automatic);
    EXPECT_FALSE(header.mpi_library.empty());
}

TEST_F(SessionOf, NamesWhatCannotBeMeasured) {
    EXPECT_EQ(problem(group_of("bcast", 64)), "");
    EXPECT_NE(problem(group_of("bcast", 63, "int")).find("not a multiple of an element of 4 bytes"),
              std::string::npos);
    GroupSpec group = group_of("bcast", 64);
    group.in_place = true;
    EXPECT_EQ(problem(group), "bcast does not support MPI_IN_PLACE");
    group = group_of("bcast", 64);
    group.root = 99;
    EXPECT_NE(problem(group).find("there is no rank 99 for the root"), std::string::npos);
    EXPECT_NE(problem(group_of("bcast", std::size_t{2} << 20)).find("only 1 MiB are available"),
              std::string::npos);
    EXPECT_NE(problem(group_of("bcast", std::size_t{3} << 30)).find("exceed the largest count of MPI"),
              std::string::npos);
    group = group_of("bcast", 64);
    group.order = Order::pairs;
    EXPECT_NE(problem(group).find("the order 'pairs' is for two algorithms, got 1"), std::string::npos);
    group.algorithms.push_back("binomial");
    EXPECT_EQ(problem(group), "");
    group.calls_in_a_row = 0;
    EXPECT_EQ(problem(group), "calls in a row: expected 1 to 10000, got 0");
    group = group_of("ping_pong", 64);
    group.calls_in_a_row = 10;
    EXPECT_EQ(problem(group), "calls in a row are for collectives; ping_pong is an exchange of messages");
    group.calls_in_a_row = 1;
    group.arrival = {models::parse_arrivals("half"), 0, std::vector<int>(3)};
    EXPECT_EQ(problem(group), "arrival patterns are for collectives; ping_pong is an exchange of messages");
    group = group_of("ping_pong", 64);
    group.parameters = {1, 0, 1};
    EXPECT_NE(problem(group), "") << "without a pair";
    group.pairs = {{0, 1}};
    EXPECT_EQ(problem(group), "");
    group.rotate_root = true;
    EXPECT_NE(problem(group).find("cannot rotate"), std::string::npos);
}

TEST_F(SessionOf, NamesArrivalsThatCannotBe) {
    GroupSpec group = group_of("bcast", 64);
    group.arrival = {models::parse_arrivals("by-node"), 0, {0, 0, 1}};
    EXPECT_EQ(problem(group), "");
    group.arrival->node_of_rank = {0, 0, 0};
    EXPECT_EQ(
        problem(group),
        "the arrival pattern by-node needs several nodes, and all ranks are on one; choose another one, "
        "such as half");
    group.arrival->how = models::parse_arrivals("half");
    EXPECT_EQ(problem(group), "");
    group.calls_in_a_row = 10;
    EXPECT_EQ(problem(group),
              "calls in a row have no arrival pattern but back-to-back, got half; omit one of them");
    group.arrival->how = models::parse_arrivals("back-to-back");
    EXPECT_EQ(problem(group), "");
}

TEST_F(SessionOf, MeasuresAGroup) {
    Settings settings;
    settings.start = StartMode::barrier;
    settings.limits = {5, 5, 10};
    const auto results = session_.measure(group_of("allreduce", 8), settings);
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results[0].status, Status::measured);
    if (session_.rank() == 0) {
        EXPECT_EQ(results[0].repetitions.size(), 5U);
    }
}

TEST(Session, UnknownNamesAreErrors) {
    SessionOptions options;
    options.sync = "ring";
    EXPECT_THROW(Session(MPI_COMM_WORLD, options), std::invalid_argument);
    options.sync = "auto";
    options.clock = "sundial";
    EXPECT_THROW(Session(MPI_COMM_WORLD, options), std::invalid_argument);
}

}  // namespace

// SPDX-License-Identifier: MIT
// The results of all collectives are right, whatever the thresholds: started with them at 0, 1 or 2^30, with
// 1 to 10 ranks, on one node and on several.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "checked_collectives.hpp"
#include "mpi_t.hpp"

namespace {

// Short and long for the default thresholds, fewer and more elements than ranks, odd and even
const int counts[] = {0, 1, 2, 7, 64, 777, 20000};

class AllResults : public testing::TestWithParam<CheckedCollective> {};

TEST_P(AllResults, AreRight) {
    const CheckedCollective& collective = GetParam();
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (const int count : counts) {
        for (const bool nonblocking : {false, true}) {
            for (const bool in_place : {false, true}) {
                for (const Reduction reduction :
                     {Reduction::built_in, Reduction::commutative, Reduction::ordered}) {
                    if ((in_place && !collective.has_in_place) ||
                        (reduction != Reduction::built_in && !collective.reduces)) {
                        continue;
                    }
                    const Variant variant = {nonblocking, in_place, reduction, ranks / 2};
                    EXPECT_EQ(collective.run(MPI_COMM_WORLD, count, variant), 0)
                        << collective.name << ", " << ranks << " ranks, count " << count << ", nonblocking "
                        << nonblocking << ", in place " << in_place << ", reduction "
                        << static_cast<int>(reduction);
                }
            }
        }
    }
}

TEST(Results, AreRightBetweenGroups) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks < 2) {
        return;  // there is no second group
    }
    const int half = ranks / 2;
    const bool lower = rank < half;
    MPI_Comm local = MPI_COMM_NULL;
    MPI_Comm inter = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, lower, 0, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, lower ? half : 0, 7, &inter);
    for (const int count : counts) {
        for (const bool nonblocking : {false, true}) {
            EXPECT_EQ(run_inter_gather(inter, lower, count, nonblocking), 0) << "gather, count " << count;
            EXPECT_EQ(run_inter_scatter(inter, lower, count, nonblocking), 0) << "scatter, count " << count;
        }
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
}

INSTANTIATE_TEST_SUITE_P(Each, AllResults, testing::ValuesIn(checked_collectives()),
                         [](const auto& test) { return std::string(test.param.name); });

// In a job that reads a tuning file, rules of it were used
class UsedRules : public testing::Environment {
  public:
    void TearDown() override {
        const char* file = std::getenv("MPIR_CVAR_COLL_TUNING_FILE");
        if (file != nullptr && std::string(file) != "none") {
            const std::vector<unsigned long long> calls = rule_calls();
            EXPECT_GT(std::count_if(calls.begin(), calls.end(), [](auto n) { return n > 0; }), 0) << file;
        }
    }
};
const testing::Environment* const used_rules = testing::AddGlobalTestEnvironment(new UsedRules);

}  // namespace

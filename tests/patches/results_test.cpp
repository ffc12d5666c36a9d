// SPDX-License-Identifier: MIT
// The results of all collectives are right, whatever the thresholds: started with them at 0, 1 or 2^30, with
// 1 to 10 ranks, on one node and on several.
#include <gtest/gtest.h>
#include <mpi.h>

#include "checked_collectives.hpp"

namespace {

// Short and long for the default thresholds, fewer and more elements than ranks, odd and even
const int counts[] = {0, 1, 2, 7, 64, 777, 20000};

class Results : public testing::TestWithParam<CheckedCollective> {};

TEST_P(Results, AreRight) {
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

INSTANTIATE_TEST_SUITE_P(All, Results, testing::ValuesIn(checked_collectives()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace

// SPDX-License-Identifier: MIT
// The same file, calls and expectations as tuning_rules_test.cpp, but the library's own rules rest, and
// libchangeover-preload (LD_PRELOAD, CHANGEOVER_PRELOAD=always) applies them. The patched MPICH tells which
// algorithm has run.
#include <gtest/gtest.h>
#include <mpi.h>
#include <mpix_coll.h>

#include "mpi_t.hpp"
#include "question.hpp"
#include "rule_expectations.hpp"

namespace {

constexpr int rule_with_tree_type = 18;  // whose control variable is a text that is read only by MPI_Init

std::string algorithm_by(const Expectation& e, MPI_Comm comm, int enable) {
    const ControlVariable own_rules("MPIR_CVAR_COLL_TUNING_ENABLE");
    EXPECT_EQ(own_rules.write(enable), MPI_SUCCESS);  // until the end of this function
    MPIX_Coll_call_t question = Question::call_of(e.collective, e.bytes);
    question.op = operation(e.operation);
    const MPIX_Coll_choice_t choice = Question(comm).ask(question);
    return choice.algorithm;
}

TEST(Preload, TheCallUsesTheAlgorithmOfTheRule) {
    const ControlVariable own_rules("MPIR_CVAR_COLL_TUNING_ENABLE");
    ASSERT_EQ(own_rules.write(0), MPI_SUCCESS);
    for_each_expectation([](const Expectation& e, MPI_Comm comm) {
        const bool has_rule = e.rule >= 0 && e.rule != rule_with_tree_type;
        const std::string expected = algorithm_by(e, comm, has_rule ? 1 : 0);
        call(e, comm);
        EXPECT_EQ(last_algorithm(comm, e.collective), expected);
        EXPECT_EQ(last_source(comm, e.collective), has_rule ? "forced" : "built-in");
    });
}

TEST(Preload, NothingStaysSet) {
    const ControlVariable own_rules("MPIR_CVAR_COLL_TUNING_ENABLE");
    ASSERT_EQ(own_rules.write(0), MPI_SUCCESS);
    const ControlVariable algorithm("MPIR_CVAR_BARRIER_INTRA_ALGORITHM");
    call({"", "world", "barrier", 0, 13}, MPI_COMM_WORLD);
    EXPECT_EQ(last_source(MPI_COMM_WORLD, "barrier"), "forced");
    EXPECT_EQ(algorithm.read(), 0);
    PMPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(last_source(MPI_COMM_WORLD, "barrier"), "built-in");
}

TEST(Preload, AFreedCommunicatorIsForgotten) {
    const ControlVariable own_rules("MPIR_CVAR_COLL_TUNING_ENABLE");
    ASSERT_EQ(own_rules.write(0), MPI_SUCCESS);
    for (int i = 0; i < 1000; ++i) {  // handles are used again
        const Part part(i % 2 == 0 ? "half" : "node");
        call({"", "half", "alltoall", 100, 12}, part.comm());
        EXPECT_EQ(last_source(part.comm(), "alltoall"), i % 2 == 0 ? "forced" : "built-in");
    }
}

TEST(Preload, IntercommunicatorsAreLeftAlone) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm both = MPI_COMM_NULL;
    const int rank = world_rank();
    MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 4 ? 4 : 0, 1, &both);
    int in = rank;
    int out = 0;
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, both);
    EXPECT_EQ(out, rank < 4 ? 4 + 5 + 6 + 7 : 0 + 1 + 2 + 3);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

}  // namespace

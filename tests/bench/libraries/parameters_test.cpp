// SPDX-License-Identifier: MIT
// A name with parameters makes the library send other messages: those of the tree, and of the chunks, that
// the name says. On 8 ranks. The library is linked into this program so that the linker can put a counter
// before the function that sends for nonblocking collectives (--wrap).
#include <gtest/gtest.h>
#include <mpi.h>
#include <mpix_coll.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "library.hpp"

namespace {

long messages = 0;

}  // namespace

extern "C" {

// Signature of src/mpid/ch3/include/mpidpre.h; what is not looked at is a pointer or a number.
int __real_MPID_Isend_coll(const void*, MPI_Aint, MPI_Datatype, int, int, void*, int, void**, int*);

int __wrap_MPID_Isend_coll(const void* buffer, MPI_Aint elements, MPI_Datatype datatype, int rank, int tag,
                           void* comm, int context, void** request, int* error) {
    ++messages;
    return __real_MPID_Isend_coll(buffer, elements, datatype, rank, tag, comm, context, request, error);
}
}

namespace {

using namespace bench;

constexpr int ranks = 8;
constexpr int count = 16384;  // ints: 64 KiB

void call(const Pattern& pattern, MPI_Comm comm) {
    std::vector<int> in(static_cast<std::size_t>(count) * ranks, 1);
    std::vector<int> out(in.size(), 1);
    const std::vector<int> counts(ranks, count);
    const std::array<double, 3> parameters = {0, 0, 0};
    Arguments arguments = {comm, in.data(), out.data(), count, MPI_INT, MPI_SUM, 0, nullptr, nullptr};
    arguments.parameters = parameters;
    arguments.start = pattern.start;
    pattern.call(arguments);
}

struct Row {
    const char* collective;
    const char* name;
    int rank;  // that sends
    long messages;
};

class Parameters : public testing::TestWithParam<Row> {};

TEST_P(Parameters, AreThoseOfTheMessages) {
    const Row& row = GetParam();
    const Pattern& pattern = *find_pattern(row.collective);
    const auto library = make_library(MPI_COMM_WORLD);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // again and again: what came before leaves nothing behind
    for (const std::string& name : {std::string(row.name), std::string("tsp_ring"), std::string(row.name)}) {
        const MPI_Comm comm = library->choose(pattern, name);
        MPI_Barrier(MPI_COMM_WORLD);
        messages = 0;
        call(pattern, comm);
        const long sent = messages;
        EXPECT_EQ(library->last_used(pattern), library->canonical(pattern, name));
        if (name == row.name && rank == row.rank) {
            EXPECT_EQ(sent, row.messages);
        }
    }
    library->choose(pattern, default_algorithm);
}

// Children of the root of 8 ranks: 2, 4 or all of them in k-ary trees; in k-nomial ones 3 subtrees for k of
// 2, and 2 for k of 4; 4 chunks of 16 KiB
INSTANTIATE_TEST_SUITE_P(
    Ibcast, Parameters,
    testing::Values(Row{"ibcast", "tsp_tree", 0, 2}, Row{"ibcast", "tsp_tree:k=4", 0, 4},
                    Row{"ibcast", "tsp_tree:k=8", 0, 7}, Row{"ibcast", "tsp_tree:tree_type=knomial_1", 0, 3},
                    Row{"ibcast", "tsp_tree:tree_type=knomial_2", 0, 3},
                    Row{"ibcast", "tsp_tree:tree_type=knomial_1:k=4", 0, 2},
                    Row{"ibcast", "tsp_tree:k=4", 1, 3}, Row{"ibcast", "tsp_tree:chunk_size=16Ki", 0, 8},
                    Row{"ibcast", "tsp_tree:tree_type=knomial_1:chunk_size=32Ki", 0, 6},
                    Row{"ibcast", "tsp_ring", 0, 1}, Row{"ibcast", "tsp_ring:chunk_size=16Ki", 0, 4}));
INSTANTIATE_TEST_SUITE_P(Ireduce, Parameters,
                         testing::Values(Row{"ireduce", "tsp_tree", 7, 1},
                                         Row{"ireduce", "tsp_tree:chunk_size=16Ki", 7, 4},
                                         Row{"ireduce", "tsp_ring:chunk_size=16Ki", 1, 4}));
INSTANTIATE_TEST_SUITE_P(Iallreduce, Parameters,
                         testing::Values(Row{"iallreduce", "tsp_tree", 0, 2},
                                         Row{"iallreduce", "tsp_tree:k=8", 0, 7},
                                         Row{"iallreduce", "tsp_tree:tree_type=knomial_1", 0, 3},
                                         Row{"iallreduce", "tsp_tree:chunk_size=16Ki", 0, 8},
                                         Row{"iallreduce", "tsp_recexch_single_buffer", 0, 3},
                                         Row{"iallreduce", "tsp_recexch_single_buffer:k=8", 0, 7},
                                         Row{"iallreduce", "tsp_recexch_multiple_buffer:k=8", 0, 7}));
INSTANTIATE_TEST_SUITE_P(Others, Parameters,
                         testing::Values(Row{"iallgather", "tsp_brucks", 0, 3},
                                         Row{"iallgather", "tsp_brucks:k=4", 0, 4},
                                         Row{"iallgather", "tsp_brucks:k=8", 0, 7},
                                         Row{"iallgather", "tsp_recexch_doubling:k=8", 0, 7},
                                         Row{"ialltoall", "tsp_brucks", 0, 3},
                                         Row{"ialltoall", "tsp_brucks:k=8", 0, 7}));

TEST(Library, ListsItsParametersAndRefusesOthers) {
    MPIX_Coll_param_t parameter = {};
    const char* const tree = "MPIR_Ibcast_intra_tsp_tree";
    ASSERT_EQ(MPIX_Coll_query_param(tree, 0, &parameter), MPI_SUCCESS);
    EXPECT_STREQ(parameter.name, "tree_type");
    EXPECT_STREQ(parameter.value_names[1], "knomial_1");
    ASSERT_EQ(MPIX_Coll_query_param(tree, 1, &parameter), MPI_SUCCESS);
    EXPECT_STREQ(parameter.name, "k");
    EXPECT_EQ(parameter.value, 2);
    EXPECT_EQ(parameter.min, 2);
    for (const int index : {-1, 3}) {
        EXPECT_EQ(MPIX_Coll_query_param(tree, index, &parameter), MPI_ERR_ARG);
    }
    EXPECT_EQ(MPIX_Coll_query_param("MPIR_Ibcast_intra_no_such", 0, &parameter), MPI_ERR_ARG);
    EXPECT_EQ(MPIX_Coll_query_param(nullptr, 0, &parameter), MPI_ERR_ARG);
    EXPECT_EQ(MPIX_Coll_set_param(tree, "k", 1), MPI_ERR_ARG);
    EXPECT_EQ(MPIX_Coll_set_param(tree, "tree_type", 3), MPI_ERR_ARG);
    EXPECT_EQ(MPIX_Coll_set_param(tree, "bblock", 4), MPI_ERR_ARG);
    EXPECT_EQ(MPIX_Coll_query_last_param(MPI_COMM_NULL, MPIX_Coll_query_collective("ibcast"), 0, &parameter),
              MPI_ERR_ARG);
    EXPECT_EQ(MPIX_Coll_query_last_param(MPI_COMM_WORLD, -1, 0, &parameter), MPI_ERR_ARG);
}

// As a rule of a tuning file may say it for a datatype that nobody thought of
TEST(Library, AChunkThatIsSmallerThanAnElementHasOne) {
    const auto library = make_library(MPI_COMM_WORLD);
    const Pattern& ibcast = *find_pattern("ibcast");
    library->choose(ibcast, "tsp_tree:chunk_size=2");
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<double> data(5, rank == 0 ? 7.0 : 0.0);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(data.data(), 5, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(data, std::vector<double>(5, 7.0));
    library->choose(ibcast, default_algorithm);
}

}  // namespace

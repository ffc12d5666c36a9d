// SPDX-License-Identifier: MIT
// ch4 devices compose a collective of parts inside and between nodes. Its tree names thresholds, too: seen on
// real calls with 3 or 4 ranks of one node, by what the library says of the last call.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "mpi_t.hpp"
#include "question.hpp"
#include "thresholds.hpp"

namespace {

int world_size() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

// What the device says before the call, and what the counters say after it
std::string composition_of(MPI_Comm comm, const std::string& collective, int bytes) {
    MPIX_Coll_choice_t device = {};
    Question(comm).ask(Question::call_of(collective, bytes), &device);
    const std::string name = device.algorithm ? device.algorithm : "none";
    const unsigned long long before = calls_of(name);
    std::vector<char> data(static_cast<std::size_t>(bytes));
    std::vector<char> result(data.size());
    if (collective == "bcast") {
        MPI_Bcast(data.data(), bytes, MPI_BYTE, 0, comm);
    } else {
        MPI_Reduce(data.data(), result.data(), bytes, MPI_BYTE, MPI_BOR, 0, comm);
    }
    EXPECT_EQ(calls_of(name), before + 1)
        << collective << ", " << bytes << " bytes: the call did not use " << name;
    return name;
}

TEST(Compositions, BcastChangesOverAtItsThresholds) {
    const ControlVariable processes("MPIR_CVAR_BCAST_MIN_PROCS");
    const ControlVariable short_size("MPIR_CVAR_BCAST_SHORT_MSG_SIZE");
    const ControlVariable long_size("MPIR_CVAR_BCAST_LONG_MSG_SIZE");
    const auto composition = [](int bytes) {
        MPI_Comm comm = MPI_COMM_NULL;  // the number of processes is compared when a communicator is made
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        std::string name = composition_of(comm, "bcast", bytes);
        MPI_Comm_free(&comm);
        return name.substr(name.rfind('_') + 1);
    };
    EXPECT_EQ(composition(600000), "alpha") << "fewer than 8 processes";
    processes.write(world_size());
    EXPECT_EQ(composition(12287), "alpha");
    const bool power_of_two = is_power_of_two(world_size());
    EXPECT_EQ(composition(12288), power_of_two ? "beta" : "gamma");
    EXPECT_EQ(composition(524288), "gamma");
    short_size.write(1000);
    long_size.write(5000);
    EXPECT_EQ(composition(999), "alpha");
    EXPECT_EQ(composition(1000), power_of_two ? "beta" : "gamma");
    EXPECT_EQ(composition(4999), power_of_two ? "beta" : "gamma");
    EXPECT_EQ(composition(5000), "gamma");
    processes.write(world_size() + 1);
    EXPECT_EQ(composition(5000), "alpha");
}

TEST(Compositions, ReduceChangesOverAtItsThreshold) {
    const ControlVariable threshold("MPIR_CVAR_REDUCE_SHORT_MSG_SIZE");
    EXPECT_EQ(composition_of(MPI_COMM_WORLD, "reduce", 2048), "MPIDI_Reduce_intra_composition_beta");
    EXPECT_EQ(composition_of(MPI_COMM_WORLD, "reduce", 2049), "MPIDI_Reduce_intra_composition_alpha");
    threshold.write(300);
    EXPECT_EQ(composition_of(MPI_COMM_WORLD, "reduce", 300), "MPIDI_Reduce_intra_composition_beta");
    EXPECT_EQ(composition_of(MPI_COMM_WORLD, "reduce", 301), "MPIDI_Reduce_intra_composition_alpha");
    MPIX_Coll_choice_t choice = {};
    MPIX_Coll_query_last(MPI_COMM_WORLD, MPIX_Coll_query_collective("reduce"), &choice);
    EXPECT_EQ(choice.source, MPIX_COLL_SOURCE_ENVIRONMENT);
    EXPECT_STREQ(choice.cvar, "MPIR_CVAR_REDUCE_SHORT_MSG_SIZE");
}

// Whatever a variable says: parts of nodes need several ranks on a node, and some compositions one node
TEST(Compositions, AreForcedOnlyWhereTheyAreLegal) {
    constexpr int alpha = 1, beta = 2, gamma = 3;
    const MPIX_Coll_layout_t one_node = {4, 0, 1, 0}, two_nodes = {4, 0, 2, 0}, lone_ranks = {4, 0, 0, 0};
    const struct {
        const char* collective;
        int composition;
        const MPIX_Coll_layout_t& layout;
        bool is_legal;
    } rows[] = {
        {"bcast", alpha, two_nodes, true},       {"bcast", beta, lone_ranks, false},
        {"bcast", gamma, lone_ranks, true},      {"reduce", alpha, one_node, true},
        {"reduce", beta, lone_ranks, false},     {"allreduce", alpha, two_nodes, true},
        {"allreduce", gamma, two_nodes, false},  {"allreduce", gamma, one_node, true},
        {"allreduce", gamma, lone_ranks, false}, {"barrier", alpha, lone_ranks, false},
        {"barrier", beta, two_nodes, true},
    };
    for (const auto& row : rows) {
        std::string variable = "MPIR_CVAR_" + std::string(row.collective) + "_COMPOSITION";
        std::transform(variable.begin(), variable.end(), variable.begin(),
                       [](unsigned char c) { return std::toupper(c); });
        const ControlVariable forced(variable);
        forced.write(row.composition);
        MPIX_Coll_choice_t device = {};
        Question(row.layout).ask(Question::call_of(row.collective, 4096), &device);
        EXPECT_EQ(device.source == MPIX_COLL_SOURCE_FORCED, row.is_legal)
            << row.collective << ", composition " << row.composition;
        if (row.is_legal) {
            EXPECT_STREQ(device.cvar, variable.c_str());
        }
    }
}

TEST(Compositions, PartsAreNamedAfterTheCall) {
    const ControlVariable composition("MPIR_CVAR_BCAST_COMPOSITION");
    const ControlVariable in_node("MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM");
    const ControlVariable threshold("MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD");
    const int bcast = MPIX_Coll_query_collective("bcast");
    threshold.write(0);
    composition.write(2);
    std::vector<char> data(4096);
    for (const int way : {0, 1}) {  // messages, shared memory
        in_node.write(way);
        MPI_Bcast(data.data(), 4096, MPI_BYTE, 0, MPI_COMM_WORLD);
        MPIX_Coll_choice_t whole = {};
        MPIX_Coll_choice_t part = {};
        MPIX_Coll_query_last(MPI_COMM_WORLD, bcast, &whole);
        MPIX_Coll_query_last_part(MPI_COMM_WORLD, MPIX_COLL_PART_IN_NODE, bcast, &part);
        EXPECT_STREQ(whole.algorithm, "MPIDI_Bcast_intra_composition_beta");
        EXPECT_STREQ(whole.cvar, "MPIR_CVAR_BCAST_COMPOSITION");
        const std::string name = part.algorithm ? part.algorithm : "none";
        EXPECT_EQ(name == "MPIDI_POSIX_mpi_bcast_release_gather", way == 1) << name;
    }
    EXPECT_EQ(MPIX_Coll_query_last_part(MPI_COMM_NULL, MPIX_COLL_PART_IN_NODE, bcast, nullptr), MPI_ERR_ARG);
}

}  // namespace

// SPDX-License-Identifier: MIT
// libchangeover-preload-openmpi (LD_PRELOAD, rules.json) on four ranks: a call sends the messages of the
// algorithm that its rule names, on each communicator from its tenth such call on, and everything else is as
// Open MPI does it.
#include <gtest/gtest.h>
#include <mpi.h>

#include <fstream>
#include <functional>
#include <vector>

#include "openmpi_messages.hpp"

namespace {

constexpr int first_call = 10;    // that is made by a rule
constexpr int default_calls = 9;  // before it

int rank_of(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

void bcast(MPI_Comm comm, int bytes) {
    std::vector<char> buffer(static_cast<std::size_t>(bytes), rank_of(comm) == 0 ? 'a' : 'b');
    MPI_Bcast(buffer.data(), bytes, MPI_BYTE, 0, comm);
    EXPECT_EQ(buffer.back(), 'a');
}

void allreduce(MPI_Comm comm, MPI_Op op) {
    std::vector<int> in(1000, rank_of(comm));
    std::vector<int> out(1000);
    MPI_Allreduce(in.data(), out.data(), 1000, MPI_INT, op, comm);
    EXPECT_EQ(out.back(), op == MPI_SUM ? 6 : 0);
}

// Of all ranks of the world
long messages_of(const std::function<void()>& call) {
    PMPI_Barrier(MPI_COMM_WORLD);
    openmpi_messages::sent = {};
    call();
    long messages = openmpi_messages::sent.messages;
    PMPI_Allreduce(MPI_IN_PLACE, &messages, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return messages;
}

// Until rules are used
long messages_later(const std::function<void()>& call) {
    for (int i = 0; i < first_call; ++i) {
        call();
    }
    return messages_of(call);
}

MPI_Comm comm_of_error = MPI_COMM_NULL;
int handled_errors = 0;
void handle_error(MPI_Comm* comm, int*, ...) {
    comm_of_error = *comm;
    handled_errors++;
}

long kib_of_memory() {
    long pages = 0;
    long resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return resident * 4;
}

class Duplicates : public testing::Test {
  protected:
    static void SetUpTestSuite() { openmpi_messages::start_counting(); }
    void SetUp() override { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
    void TearDown() override {
        if (comm != MPI_COMM_NULL) {
            MPI_Comm_free(&comm);
        }
    }
    MPI_Comm comm = MPI_COMM_NULL;
};

TEST_F(Duplicates, TheCallUsesTheAlgorithmOfTheRule) {
    EXPECT_EQ(messages_later([&] { bcast(comm, 100000); }), 39);  // 13 segments to each of 3 ranks
    EXPECT_EQ(messages_later([&] { bcast(comm, 10000); }), 6);
    EXPECT_EQ(messages_later([&] { bcast(comm, 1500); }), 9);
    EXPECT_EQ(messages_later([&] { allreduce(comm, MPI_SUM); }), 24);  // 2 (n - 1) of each rank
}

TEST_F(Duplicates, FromTheTenthCallOn) {
    const long by_default = messages_of([&] { allreduce(comm, MPI_SUM); });
    for (int i = 1; i < default_calls; ++i) {
        EXPECT_EQ(messages_of([&] { allreduce(comm, MPI_SUM); }), by_default);
    }
    EXPECT_GT(messages_of([&] { allreduce(comm, MPI_SUM); }), 24) << "and those that make the duplicate";
    EXPECT_EQ(messages_of([&] { allreduce(comm, MPI_SUM); }), 24);
    EXPECT_NE(by_default, 24);
}

// nonoverlapping is a reduce and a bcast, which are not those of the rules for these
TEST_F(Duplicates, EachHasTheAlgorithmOfOneCollective) {
    const auto call = [&] {
        std::vector<char> in(20000);
        std::vector<char> out(20000);
        MPI_Allreduce(in.data(), out.data(), 20000, MPI_CHAR, MPI_SUM, comm);
    };
    messages_later([&] { bcast(comm, 20000); });
    EXPECT_EQ(messages_of([&] { bcast(comm, 20000); }), 9);
    EXPECT_EQ(messages_later(call), 6) << "three to the root, and three from it";
}

TEST_F(Duplicates, WithoutARuleNothingChanges) {
    const auto by_default = [&](int bytes) {
        return messages_of([&] {
            std::vector<char> buffer(static_cast<std::size_t>(bytes));
            PMPI_Bcast(buffer.data(), bytes, MPI_BYTE, 0, comm);
        });
    };
    for (const int bytes : {1, 999, 2000, 9999}) {
        EXPECT_EQ(messages_later([&] { bcast(comm, bytes); }), by_default(bytes)) << bytes;
    }
    bcast(comm, 100000);
    EXPECT_NE(by_default(100000), 39) << "nothing stays forced";
    MPI_Comm later = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &later);
    EXPECT_NE(messages_of([&] { bcast(later, 100000); }), 39) << "nor for communicators that are made later";
    MPI_Comm_free(&later);
}

TEST_F(Duplicates, PartsHaveTheRulesOfTheirLayout) {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, 0, &part);
    EXPECT_EQ(messages_later([&] { bcast(part, 10000); }), 20);  // 10 segments in each half
    EXPECT_EQ(messages_later([&] { MPI_Barrier(part); }), 4);
    MPI_Comm_free(&part);
    MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) == 3, 0, &part);
    const auto of_three = [&] { bcast(part, 100); };
    messages_later(of_three);  // the rule is for two nodes
    EXPECT_EQ(messages_of(of_three), 2);
    MPI_Comm_free(&part);
}

TEST_F(Duplicates, WhatIsNotLegalIsLeftToTheLibrary) {
    EXPECT_GT(messages_later([&] { MPI_Barrier(comm); }), 4) << "two_proc on four ranks";
    MPI_Op first = MPI_OP_NULL;
    const auto keep_first = [](void* a, void* b, int* count, MPI_Datatype*) {
        std::copy_n(static_cast<int*>(a), *count, static_cast<int*>(b));
    };
    MPI_Op_create(keep_first, 0, &first);
    EXPECT_NE(messages_later([&] { allreduce(comm, first); }), 24) << "ring, and it does not commute";
    MPI_Op_free(&first);
    MPI_Op_create(keep_first, 1, &first);
    const auto of_commuting = [&] {
        std::vector<int> same(1000, 7);
        MPI_Allreduce(MPI_IN_PLACE, same.data(), 1000, MPI_INT, first, comm);
        EXPECT_EQ(same.back(), 7);
    };
    EXPECT_EQ(messages_later(of_commuting), 24) << "it says that it commutes";
    MPI_Op_free(&first);
}

TEST_F(Duplicates, TheyAreFreedWithTheirCommunicator) {
    long before = 0;
    for (int i = 0; i < 1000; ++i) {
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Comm_dup(comm, &made);
        for (int call = 0; call <= first_call; ++call) {
            bcast(made, 1500);
        }
        if (i == 300) {
            before = kib_of_memory();
        }
        if (i == 999) {
            EXPECT_EQ(messages_of([&] { bcast(made, 1500); }), 9);
        }
        MPI_Comm_free(&made);
    }
    EXPECT_LT(kib_of_memory() - before, 700) << "at most 1 KiB for each";
}

TEST_F(Duplicates, AttributesOfTheUserAreNotCopied) {
    static int copies;
    int key = MPI_KEYVAL_INVALID;
    const auto count = [](MPI_Comm, int, void*, void*, void*, int* flag) {
        copies++;
        *flag = 0;
        return MPI_SUCCESS;
    };
    MPI_Comm_create_keyval(count, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    MPI_Comm_set_attr(comm, key, &copies);
    EXPECT_EQ(messages_later([&] { bcast(comm, 1500); }), 9);
    EXPECT_EQ(copies, 0);
    MPI_Comm_delete_attr(comm, key);
    MPI_Comm_free_keyval(&key);
}

TEST_F(Duplicates, ErrorsAreThoseOfTheUsersCommunicator) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    EXPECT_EQ(messages_later([&] { bcast(comm, 1500); }), 9);
    MPI_Comm_create_errhandler(handle_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);  // after the duplicate was made
    char buffer[1500] = "";
    EXPECT_NE(MPI_Bcast(buffer, 1500, MPI_BYTE, 99, comm), MPI_SUCCESS);
    EXPECT_EQ(handled_errors, 1);
    EXPECT_EQ(comm_of_error, comm);
    MPI_Errhandler_free(&handler);
}

TEST_F(Duplicates, IntercommunicatorsAreLeftAlone) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm both = MPI_COMM_NULL;
    const int rank = rank_of(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &both);
    for (int i = 0; i < 2 * first_call; ++i) {
        int out = 0;
        MPI_Allreduce(&rank, &out, 1, MPI_INT, MPI_SUM, both);
        EXPECT_EQ(out, rank < 2 ? 2 + 3 : 0 + 1);
    }
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

TEST_F(Duplicates, SomeStayUntilTheEnd) {
    EXPECT_EQ(messages_later([&] { bcast(comm, 1500); }), 9);
    EXPECT_EQ(messages_later([&] { bcast(MPI_COMM_WORLD, 100000); }), 39);
    comm = MPI_COMM_NULL;  // not freed
}

}  // namespace

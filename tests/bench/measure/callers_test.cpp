// SPDX-License-Identifier: MIT
// Communicators are made once, with the ranks of the grid, and each has its own view of the library.
#include "callers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace bench;

int ranks_of(MPI_Comm comm) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    return ranks;
}

TEST(CallersOf, TheWorldAreAllRanks) {
    const std::unique_ptr<Library> library = make_library(MPI_COMM_WORLD);
    Callers callers(MPI_COMM_WORLD, *library);
    const Caller all = callers.of({});
    EXPECT_EQ(all.comm, MPI_COMM_WORLD);
    EXPECT_EQ(all.library, library.get());
    EXPECT_EQ(all.ranks, ranks_of(MPI_COMM_WORLD));
}

TEST(CallersOf, PartsAreMadeOnce) {
    const std::unique_ptr<Library> library = make_library(MPI_COMM_WORLD);
    Callers callers(MPI_COMM_WORLD, *library);
    const int ranks = ranks_of(MPI_COMM_WORLD);
    const models::Communicators single = {models::Communicators::Kind::columns, ranks};
    const Caller part = callers.of(single);
    EXPECT_EQ(part.ranks, 1) << "as many columns as ranks";
    EXPECT_EQ(part.rank, 0);
    EXPECT_NE(part.library, library.get());
    EXPECT_EQ(callers.of(single).comm, part.comm);
    const Caller row = callers.of({models::Communicators::Kind::rows, 1});
    EXPECT_EQ(row.ranks, ranks);
    EXPECT_NE(row.comm, part.comm);
    const std::vector<std::string> names = row.library->algorithms(*find_pattern("bcast"));
    EXPECT_EQ(names, library->algorithms(*find_pattern("bcast"))) << "of as many ranks";
}

}  // namespace

// SPDX-License-Identifier: MIT
// A datatype is freed with its communicator, and not before.
#include "lifetime.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

namespace {

TEST(Lifetime, OfADatatypeEndsWithTheCommunicator) {
    static int freed;
    freed = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    int key = MPI_KEYVAL_INVALID;
    MPI_Type_create_keyval(
        MPI_TYPE_NULL_COPY_FN,
        [](MPI_Datatype, int, void*, void*) {
            ++freed;
            return MPI_SUCCESS;
        },
        &key, nullptr);
    MPI_Type_set_attr(type, key, nullptr);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    bench::free_with(comm, type);
    EXPECT_EQ(freed, 0);
    MPI_Comm_free(&comm);
    EXPECT_EQ(freed, 1);
    MPI_Type_free_keyval(&key);
}

}  // namespace

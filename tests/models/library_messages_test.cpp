// SPDX-License-Identifier: MIT
// The messages of the schedules are those that MPICH sends. The library is linked into this program so that
// the linker can put a counter before its two functions that send for collectives (--wrap).
#include <gtest/gtest.h>
#include <mpi.h>

#include <string>
#include <vector>

#include "library.hpp"
#include "library_calls.hpp"
#include "pattern.hpp"
#include "schedule.hpp"

namespace {

struct Sent {
    long messages = 0;
    long bytes = 0;
    bool operator==(const Sent&) const = default;
};

bool counting = false;
Sent sent;

void count(MPI_Aint elements, MPI_Datatype datatype) {
    if (counting) {
        int size = 0;
        PMPI_Type_size(datatype, &size);
        ++sent.messages;
        sent.bytes += elements * size;
    }
}

}  // namespace

extern "C" {

// Signatures of src/mpid/ch3/include/mpidpre.h; what is not looked at is a pointer or a number.
int __real_MPID_Send_coll(const void*, MPI_Aint, MPI_Datatype, int, int, void*, int, void**, int*);
int __real_MPID_Isend_coll(const void*, MPI_Aint, MPI_Datatype, int, int, void*, int, void**, int*);

int __wrap_MPID_Send_coll(const void* buffer, MPI_Aint elements, MPI_Datatype datatype, int rank, int tag,
                          void* comm, int context, void** request, int* error) {
    count(elements, datatype);
    return __real_MPID_Send_coll(buffer, elements, datatype, rank, tag, comm, context, request, error);
}

int __wrap_MPID_Isend_coll(const void* buffer, MPI_Aint elements, MPI_Datatype datatype, int rank, int tag,
                           void* comm, int context, void** request, int* error) {
    count(elements, datatype);
    return __real_MPID_Isend_coll(buffer, elements, datatype, rank, tag, comm, context, request, error);
}
}

namespace {

// Messages that this rank sends by the schedule; those to itself only where the library sends them, too
Sent expected_of(const models::Algorithm& algorithm, const models::Call& call, int rank) {
    const bool sends_to_itself = algorithm.name == "scattered";
    Sent expected;
    models::for_each_round(algorithm.schedule(call), [&](const models::Round& round) {
        for (const models::Message& message : round.messages()) {
            if (message.source == rank && (message.destination != rank || sends_to_itself)) {
                ++expected.messages;
                expected.bytes += static_cast<long>(message.bytes);
            }
        }
    });
    return expected;
}

TEST(LibraryMessages, EqualThoseOfTheSchedules) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const models::RankPlacement layout = layout_of_job(ranks);

    const auto library = bench::make_library(MPI_COMM_WORLD);
    long compared = 0;
    for (const models::Algorithm& algorithm : models::algorithms()) {
        const bench::Pattern& pattern = *bench::find_pattern(std::string(algorithm.collective));
        library->choose(pattern, std::string(algorithm.name));
        // odd sizes, and each part of the smp algorithms
        for (const std::size_t bytes : {1u, 13u, 1000u, 5000u, 20001u, 600000u}) {
            for (const int root : {0, ranks - 1}) {
                const models::Call call{&layout, bytes, root};
                const bool is_costly = bytes > 500000 && algorithm.parts == nullptr;
                if (is_costly || !models::is_allowed(algorithm, call)) {
                    continue;
                }
                MPI_Barrier(MPI_COMM_WORLD);
                sent = {};
                counting = true;
                call_library(algorithm.collective, call);
                counting = false;
                ASSERT_EQ(library->last_used(pattern), algorithm.name);
                const Sent expected = expected_of(algorithm, call, rank);
                EXPECT_EQ(sent.messages, expected.messages) << algorithm.collective << " " << algorithm.name
                                                            << ", " << bytes << " bytes, root " << root;
                EXPECT_EQ(sent.bytes, expected.bytes) << algorithm.collective << " " << algorithm.name << ", "
                                                      << bytes << " bytes, root " << root;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 150);
}

}  // namespace

// SPDX-License-Identifier: MIT
// Algorithms allocate what models/choice/extra_memory.hpp says. The functions of this program that allocate
// come before those of the C library, for the library, too.
#include <gtest/gtest.h>
#include <malloc.h>
#include <mpi.h>

#include <algorithm>
#include <string>

#include "extra_memory.hpp"
#include "library.hpp"
#include "library_calls.hpp"
#include "pattern.hpp"

namespace {

long allocated = 0;  // now, since the program started
long most = 0;

void count(void* memory, int sign) {
    if (memory != nullptr) {
        allocated += sign * static_cast<long>(malloc_usable_size(memory));
        most = std::max(most, allocated);
    }
}

}  // namespace

extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void __libc_free(void* memory);

void* malloc(std::size_t bytes) {
    void* memory = __libc_malloc(bytes);
    count(memory, 1);
    return memory;
}

void* calloc(std::size_t number, std::size_t bytes) {
    void* memory = __libc_calloc(number, bytes);
    count(memory, 1);
    return memory;
}

void* realloc(void* before, std::size_t bytes) {
    count(before, -1);
    void* memory = __libc_realloc(before, bytes);
    count(memory, 1);
    return memory;
}

void free(void* memory) {
    count(memory, -1);
    __libc_free(memory);
}
}

namespace {

// What the library keeps for requests and types, and what malloc rounds up, for a few allocations
constexpr long slack = 20 * 1024;
constexpr int calls_of_case = 3;  // in the first ones the library fills its pools

// The least of several calls
long measured(std::string_view collective, const models::Call& call) {
    long least = -1;
    for (int i = 0; i < calls_of_case; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        call_library(collective, call, [&](const std::function<void()>& make) {
            const long before = most = allocated;
            make();
            least = least < 0 ? most - before : std::min(least, most - before);
        });
    }
    return least;
}

TEST(LibraryMemory, IsWhatTheTableSays) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const models::RankPlacement layout = layout_of_job(ranks);
    const auto library = bench::make_library(MPI_COMM_WORLD);
    long compared = 0;
    const auto compare = [&](const models::Algorithm& algorithm, std::string_view collective,
                             const models::Call& call) {
        const auto expected = models::extra_memory(collective, algorithm.name, call);
        ASSERT_TRUE(expected) << collective << " " << algorithm.name;
        ASSERT_EQ(expected->size(), static_cast<std::size_t>(ranks));
        const long bytes = measured(collective, call);
        const auto mine = static_cast<long>((*expected)[static_cast<std::size_t>(rank)]);
        const std::string what = std::string(collective) + " " + std::string(algorithm.name) + ", " +
                                 std::to_string(call.bytes) + " bytes, root " + std::to_string(call.root) +
                                 ", rank " + std::to_string(rank);
        const long counts = 2 * 4 * ranks;  // of the table, which some ranks do not need
        EXPECT_GE(bytes, mine - counts) << what;
        EXPECT_LE(bytes, mine + slack) << what;
        ++compared;
    };
    // What is made of other collectives needs what their algorithms need, which are chosen as usual: not
    // known
    for (const models::Algorithm& algorithm : models::algorithms(models::Implementation::stock_mpich)) {
        for (const std::string_view collective : {algorithm.collective, std::string_view("allgatherv")}) {
            if (collective != algorithm.collective && algorithm.collective != "allgather") {
                continue;
            }
            library->choose(*bench::find_pattern(std::string(collective)), std::string(algorithm.name));
            for (const std::size_t bytes : {1000u, 20001u, 300000u}) {
                for (const int root : {0, ranks - 1}) {
                    const models::Call call{&layout, bytes, root};
                    if (models::is_allowed(algorithm, call)) {
                        compare(algorithm, collective, call);
                    }
                }
            }
        }
    }
    EXPECT_GT(compared, 100);
}

}  // namespace

// SPDX-License-Identifier: MIT
// An ordinary MPI program, for any MPI library. Without arguments: all collectives on all kinds of
// communicators, with their results checked. With COLLECTIVE BYTES...: how many messages the library gives to
// UCX for one call, as ucx_messages.c (preloaded) counts them.
#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "checked_collectives.hpp"

namespace {

// Short and long for the default thresholds and the rules, fewer and more elements than ranks
const int counts[] = {0, 7, 1000, 100000};

long wrong_results(MPI_Comm comm, const char* name, bool with_nonblocking = false) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    long errors = 0;
    for (const CheckedCollective& collective : checked_collectives()) {
        for (const int count : counts) {
            for (int i = 0; i < 12; ++i) {
                const Variant variant = {i % 2 == 1, i / 2 % 2 == 1, static_cast<Reduction>(i / 4),
                                         ranks / 2};
                if ((variant.nonblocking && !with_nonblocking) ||
                    (variant.in_place && !collective.has_in_place) ||
                    (variant.reduction != Reduction::built_in && !collective.reduces)) {
                    continue;
                }
                const long wrong = collective.run(comm, count, variant);
                if (wrong != 0) {
                    std::fprintf(stderr, "%s on %s, variant %d, count %d: %ld wrong elements\n",
                                 collective.name, name, i, count, wrong);
                }
                errors += wrong;
            }
        }
    }
    return errors;
}

long check_all() {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    long errors = wrong_results(MPI_COMM_WORLD, "world", true) + wrong_results(MPI_COMM_SELF, "self");
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    errors += wrong_results(comm, "dup");
    MPI_Comm_free(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks / 2, 0, &comm);
    errors += wrong_results(comm, "halves");
    MPI_Comm_free(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comm);  // one rank of each node of two, backwards
    errors += wrong_results(comm, "odd and even");
    MPI_Comm_free(&comm);
    MPI_Allreduce(MPI_IN_PLACE, &errors, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return errors;
}

// The calls of changeover-which
void call(const std::string& collective, int bytes, std::vector<char>& in, std::vector<char>& out) {
    if (collective == "bcast") {
        MPI_Bcast(in.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    } else if (collective == "allreduce") {
        MPI_Allreduce(in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    } else if (collective == "allgather") {
        MPI_Allgather(in.data(), bytes, MPI_BYTE, out.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
    } else if (collective == "alltoall") {
        MPI_Alltoall(in.data(), bytes, MPI_BYTE, out.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
    } else if (collective == "barrier") {
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        std::fprintf(stderr, "unknown collective %s\n", collective.c_str());
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

void count_messages(const std::string& collective, const std::vector<int>& sizes) {
    const auto messages = reinterpret_cast<long (*)()>(dlsym(RTLD_DEFAULT, "ucx_messages"));
    if (messages == nullptr) {
        std::fprintf(stderr, "ucx_messages is not preloaded\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (const int bytes : sizes) {
        std::vector<char> in(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(ranks));
        std::vector<char> out(in.size());
        const long before = messages();
        call(collective, bytes, in, out);
        long sent = messages() - before;
        MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0) {
            std::printf("%d %ld\n", bytes, sent);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    long errors = 0;
    if (argc > 1) {
        std::vector<int> sizes;
        for (int i = 2; i < argc; ++i) {
            sizes.push_back(std::atoi(argv[i]));
        }
        count_messages(argv[1], sizes);
    } else {
        errors = check_all();
    }
    MPI_Finalize();
    return errors == 0 ? 0 : 1;
}

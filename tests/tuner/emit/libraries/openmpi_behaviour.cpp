// SPDX-License-Identifier: MIT
// For openmpi_rules_test.sh: what all ranks send in one call, by COLLECTIVE and BYTES..., with whatever rules
// Open MPI was told to read. Lines: bytes of the call, messages, their bytes, how many were prepared
// requests.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "openmpi_messages.hpp"
#include "pattern.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const bench::Pattern* pattern = argc > 2 ? bench::find_pattern(argv[1]) : nullptr;
    if (pattern == nullptr) {
        std::fprintf(stderr, "usage: openmpi_behaviour COLLECTIVE BYTES...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    openmpi_messages::start_counting();
    for (int i = 2; i < argc; ++i) {
        const int bytes = std::atoi(argv[i]);
        std::vector<char> in(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(ranks) + 1);
        std::vector<char> out(in.size());
        const std::vector<int> counts(static_cast<std::size_t>(ranks), bytes);
        std::vector<int> displacements;
        for (int r = 0; r < ranks; ++r) {
            displacements.push_back(r * bytes);
        }
        for (int call = 0; call < 2; ++call) {  // the first may make communicators
            PMPI_Barrier(MPI_COMM_WORLD);
            openmpi_messages::sent = {};
            pattern->call({MPI_COMM_WORLD, in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, 0, counts.data(),
                           displacements.data(), rank});
        }
        long sent[] = {openmpi_messages::sent.messages, openmpi_messages::sent.bytes,
                       openmpi_messages::sent.prepared};
        PMPI_Allreduce(MPI_IN_PLACE, sent, 3, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0) {
            std::printf("%d %ld %ld %ld\n", bytes, sent[0], sent[1], sent[2]);
        }
    }
    MPI_Finalize();
    return 0;
}

// SPDX-License-Identifier: MIT
// One selection, many times over, by the patched or the unpatched library: for counting instructions. Only
// those of the selections count: what reading a file takes is never the same. usage: selection_instructions
// stock|patched COLLECTIVE BYTES REPETITIONS
#include <mpi.h>
#include <valgrind/callgrind.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "question.hpp"
#include "stock_twin.h"

int main(int argc, char** argv) {
    if (argc != 5 || MPI_Init(&argc, &argv) != MPI_SUCCESS) {
        std::fprintf(stderr, "usage: selection_instructions stock|patched COLLECTIVE BYTES REPETITIONS\n");
        return 2;
    }
    twin_init();
    {
        const Question question({64, 0, 32, 0});
        question.algorithm(argv[2], std::atol(argv[3]));  // the signature that the twin repeats
        void (*const select)() = std::strcmp(argv[1], "stock") == 0 ? twin_select_stock : twin_select_patched;
        CALLGRIND_START_INSTRUMENTATION;
        for (long i = std::atol(argv[4]); i > 0; --i) {
            select();
        }
        CALLGRIND_STOP_INSTRUMENTATION;
    }
    MPI_Finalize();
    return 0;
}

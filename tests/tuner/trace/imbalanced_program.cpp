// SPDX-License-Identifier: MIT
// A program as people write them, with a heavy allreduce and a rank that always comes late: what a profile of
// its collectives must find.
// usage: imbalanced_program STEPS LATE_RANK LATE_MICROSECONDS HEAVY_BYTES
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 5) {
        std::fprintf(stderr, "usage: %s STEPS LATE_RANK LATE_MICROSECONDS HEAVY_BYTES\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int steps = std::atoi(argv[1]);
    const int late_rank = std::atoi(argv[2]);
    const std::chrono::microseconds late(std::atoi(argv[3]));
    std::vector<double> field(static_cast<std::size_t>(std::atoi(argv[4])) / sizeof(double), 1.0);
    std::vector<double> sum(field.size());
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double residual = 1;
    double largest = 0;
    for (int step = 0; step < steps; ++step) {
        if (rank == late_rank) {
            std::this_thread::sleep_for(late);
        }
        MPI_Allreduce(&residual, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allreduce(field.data(), sum.data(), static_cast<int>(field.size()), MPI_DOUBLE, MPI_SUM,
                      MPI_COMM_WORLD);
    }
    MPI_Finalize();
}

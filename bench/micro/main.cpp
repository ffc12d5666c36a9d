// SPDX-License-Identifier: MIT
// changeover-micro: Google Benchmark suite of the project's own hot paths.
#include <benchmark/benchmark.h>
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);  // as a single process: the benchmarks make no call that needs another
    benchmark::Initialize(&argc, argv);
    const int status = benchmark::ReportUnrecognizedArguments(argc, argv) ? 2 : 0;
    if (status == 0) {
        benchmark::RunSpecifiedBenchmarks();
    }
    benchmark::Shutdown();
    MPI_Finalize();
    return status;
}

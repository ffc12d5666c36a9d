// SPDX-License-Identifier: MIT
// What one selection costs: the question "which algorithm for this call?" on a made-up communicator of 64
// ranks, 2 on each node. It covers all that a call does to find its algorithm (the forcing variables, then
// the tree), and the making of the answer besides.
#include <benchmark/benchmark.h>
#include <mpi.h>
#include <mpix_coll.h>

#include <iterator>

namespace {

struct Case {
    const char* collective;
    MPI_Aint count;
};

// Each collective with thresholds, below, between and above them; 8 bytes an element.
const Case cases[] = {
    {"bcast", 16},
    {"bcast", 8192},
    {"bcast", 131072},
    {"allreduce", 1},
    {"allreduce", 8192},
    {"reduce", 16},
    {"reduce", 8192},
    {"allgather", 16},
    {"allgather", 8192},
    {"alltoall", 16},
    {"alltoall", 1024},
    {"alltoall", 8192},
    {"barrier", 0},
    {"gather", 1024},
    {"reduce_scatter_block", 16},
    {"reduce_scatter_block", 8192},
};

class Communicator {
  public:
    Communicator() {
        const MPIX_Coll_layout_t layout = {64, 0, 32, 0};
        MPIX_Coll_query_create(MPI_COMM_WORLD, &layout, &query_);
    }
    ~Communicator() { MPIX_Coll_query_free(&query_); }
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    const char* algorithm(const MPIX_Coll_call_t& call) const {
        MPIX_Coll_choice_t choice = {};
        MPIX_Coll_query_call(query_, &call, nullptr, &choice);
        return choice.algorithm;
    }

  private:
    MPIX_Coll_query_t* query_ = nullptr;
};

MPIX_Coll_call_t call_of(const Case& c) {
    return {MPIX_Coll_query_collective(c.collective), c.count, MPI_DOUBLE, MPI_SUM, 0};
}

void selection(benchmark::State& state) {
    const Communicator communicator;
    const Case& c = cases[state.range(0)];
    const MPIX_Coll_call_t call = call_of(c);
    for (auto _ : state) {
        benchmark::DoNotOptimize(communicator.algorithm(call));
    }
    state.SetLabel(c.collective + std::string(", 8 x ") + std::to_string(c.count) + " bytes");
}
BENCHMARK(selection)->DenseRange(0, std::size(cases) - 1);

// To compare with: 45 ns, the hard-coded decision function of Pjesivac-Grbovic's thesis.
void selection_average(benchmark::State& state) {
    const Communicator communicator;
    MPIX_Coll_call_t calls[std::size(cases)];
    for (std::size_t i = 0; i < std::size(cases); ++i) {
        calls[i] = call_of(cases[i]);
    }
    std::size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(communicator.algorithm(calls[i]));
        i = i + 1 == std::size(cases) ? 0 : i + 1;
    }
}
BENCHMARK(selection_average);

}  // namespace

// SPDX-License-Identifier: MIT
// Calls that send nothing, SKaMPI's simple pattern (Reussner et al. 1998, section 2.1). They are too short
// for the clock: the root makes many in a row, and the time is that of one.
#include "clock.hpp"
#include "pattern_parts.hpp"

namespace bench {

namespace {

enum Parameter { calls };
constexpr int unused_tag = 60;

void wtime(MPI_Comm) {
    MPI_Wtime();
}

void comm_rank(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
}

// Nobody sends what it looks for
void iprobe(MPI_Comm comm) {
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, unused_tag, comm, &is_there, MPI_STATUS_IGNORE);
}

void call(const Arguments& a) {
    constexpr void (*functions[])(MPI_Comm) = {wtime, comm_rank, iprobe};
    if (a.rank != a.root) {
        return;
    }
    const auto count = static_cast<long>(a.parameters[calls]);
    const double begin = a.clock->now();
    for (long i = 0; i < count; ++i) {
        functions[a.variant](a.comm);
    }
    *a.seconds = (a.clock->now() - begin) / static_cast<double>(count);
}

}  // namespace

extern const Pattern local_call;
const Pattern local_call = {
    .name = "local_call",
    .size = {.meaning = "none: nothing is sent"},
    .has_message = false,
    .has_root = true,
    .contents = parts::no_message,
    .call = call,
    .variants = {"wtime", "comm_rank", "iprobe"},
    .parameters = {{"calls", 1000, 1, "in a row"}},
    .parties = Parties::all,
    .metric = Metric::root,
};

}  // namespace bench

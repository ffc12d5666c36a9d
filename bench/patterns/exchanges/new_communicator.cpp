// SPDX-License-Identifier: MIT
// MPI_Comm_dup, and MPI_Comm_split into even and odd ranks. The communicator is freed after the time.
#include "clock.hpp"
#include "pattern_parts.hpp"

namespace bench {

namespace {

MPI_Comm dup(const Arguments& a) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_dup(a.comm, &made);
    return made;
}

MPI_Comm split(const Arguments& a) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_split(a.comm, a.rank % 2, a.rank, &made);
    return made;
}

void call(const Arguments& a) {
    constexpr MPI_Comm (*functions[])(const Arguments&) = {dup, split};
    const double begin = a.clock->now();
    MPI_Comm made = functions[a.variant](a);
    *a.seconds = a.clock->now() - begin;
    MPI_Comm_free(&made);
}

}  // namespace

extern const Pattern new_communicator;
const Pattern new_communicator = {
    .name = "new_communicator",
    .size = {.meaning = "none: there is no message"},
    .has_message = false,
    .contents = parts::no_message,
    .call = call,
    .variants = {"comm_dup", "comm_split"},
    .parties = Parties::all,
};

}  // namespace bench

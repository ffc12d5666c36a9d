// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

extern const Pattern barrier;
const Pattern barrier = collective(
    "barrier", parts::no_message, [](const Arguments& a) { MPI_Barrier(a.comm); },
    [](const Arguments& a, MPI_Request* r) { MPI_Ibarrier(a.comm, r); });

}  // namespace bench

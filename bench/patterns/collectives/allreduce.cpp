// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

extern const Pattern allreduce;
const Pattern allreduce = collective(
    "allreduce", parts::vectors_combined(parts::combined_over_all),
    [](const Arguments& a) { MPI_Allreduce(a.send, a.receive, a.count, a.datatype, a.operation, a.comm); },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Iallreduce(a.send, a.receive, a.count, a.datatype, a.operation, a.comm, r);
    });

}  // namespace bench

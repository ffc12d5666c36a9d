// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

extern const Pattern alltoall;
const Pattern alltoall = collective(
    "alltoall", parts::blocks_for_all_ranks,
    [](const Arguments& a) {
        MPI_Alltoall(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm);
    },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Ialltoall(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm, r);
    });

}  // namespace bench

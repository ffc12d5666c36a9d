// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

extern const Pattern alltoallv;
const Pattern alltoallv = collective(
    "alltoallv", parts::blocks_for_all_ranks,
    [](const Arguments& a) {
        MPI_Alltoallv(a.send, a.counts, a.displacements, a.datatype, a.receive, a.counts, a.displacements,
                      a.datatype, a.comm);
    },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Ialltoallv(a.send, a.counts, a.displacements, a.datatype, a.receive, a.counts, a.displacements,
                       a.datatype, a.comm, r);
    });

}  // namespace bench

// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

extern const Pattern allgatherv;
const Pattern allgatherv = collective(
    "allgatherv", parts::blocks_of_all_ranks,
    [](const Arguments& a) {
        MPI_Allgatherv(a.send, a.count, a.datatype, a.receive, a.counts, a.displacements, a.datatype, a.comm);
    },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Iallgatherv(a.send, a.count, a.datatype, a.receive, a.counts, a.displacements, a.datatype, a.comm,
                        r);
    });

}  // namespace bench

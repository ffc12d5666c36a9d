// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

extern const Pattern allgather;
const Pattern allgather = collective(
    "allgather", parts::blocks_of_all_ranks,
    [](const Arguments& a) {
        MPI_Allgather(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm);
    },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Iallgather(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm, r);
    });

}  // namespace bench

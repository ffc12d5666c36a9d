// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

extern const Pattern reduce_scatter_block;
const Pattern reduce_scatter_block = collective(
    "reduce_scatter_block", parts::own_part_of_combined,
    [](const Arguments& a) {
        MPI_Reduce_scatter_block(a.send, a.receive, a.count, a.datatype, a.operation, a.comm);
    },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Ireduce_scatter_block(a.send, a.receive, a.count, a.datatype, a.operation, a.comm, r);
    });

}  // namespace bench

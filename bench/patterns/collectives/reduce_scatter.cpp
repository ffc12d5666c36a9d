// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

extern const Pattern reduce_scatter;
const Pattern reduce_scatter = collective(
    "reduce_scatter", parts::own_part_of_combined,
    [](const Arguments& a) {
        MPI_Reduce_scatter(a.send, a.receive, a.counts, a.datatype, a.operation, a.comm);
    },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Ireduce_scatter(a.send, a.receive, a.counts, a.datatype, a.operation, a.comm, r);
    });

}  // namespace bench

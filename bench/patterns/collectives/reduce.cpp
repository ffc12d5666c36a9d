// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

extern const Pattern reduce;
const Pattern reduce = collective(
    "reduce",
    {InPlace::at_root, parts::one_block, parts::one_block_at_root, parts::own_element,
     parts::combined_over_all},
    [](const Arguments& a) {
        MPI_Reduce(a.send, a.receive, a.count, a.datatype, a.operation, a.root, a.comm);
    },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Ireduce(a.send, a.receive, a.count, a.datatype, a.operation, a.root, a.comm, r);
    });

}  // namespace bench

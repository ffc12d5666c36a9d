// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

extern const Pattern gather;
const Pattern gather = collective(
    "gather",
    {InPlace::at_root, parts::one_block, parts::all_blocks_at_root, parts::own_block_of_all, parts::gathered},
    [](const Arguments& a) {
        MPI_Gather(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.root, a.comm);
    },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Igather(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.root, a.comm, r);
    });

}  // namespace bench

// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

namespace {

Origin result(const RankCall& call, std::size_t position) {
    return {0, call.rank - 1, position};  // on rank 0: undefined
}

}  // namespace

extern const Pattern exscan;
const Pattern exscan = collective(
    "exscan", parts::vectors_combined(result),
    [](const Arguments& a) { MPI_Exscan(a.send, a.receive, a.count, a.datatype, a.operation, a.comm); },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Iexscan(a.send, a.receive, a.count, a.datatype, a.operation, a.comm, r);
    });

}  // namespace bench

// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

namespace {

Origin result(const RankCall& call, std::size_t position) {
    return {0, call.rank, position};
}

}  // namespace

extern const Pattern scan;
const Pattern scan = collective(
    "scan", parts::vectors_combined(result),
    [](const Arguments& a) { MPI_Scan(a.send, a.receive, a.count, a.datatype, a.operation, a.comm); },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Iscan(a.send, a.receive, a.count, a.datatype, a.operation, a.comm, r);
    });

}  // namespace bench

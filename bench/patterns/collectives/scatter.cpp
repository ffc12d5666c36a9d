// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

namespace {

Origin result(const RankCall& call, std::size_t position) {
    return {call.root, call.root, static_cast<std::size_t>(call.rank) * call.count + position};
}

}  // namespace

extern const Pattern scatter;
const Pattern scatter = collective(
    "scatter", {InPlace::no, parts::all_blocks_at_root, parts::one_block, parts::no_input, result},
    [](const Arguments& a) {
        MPI_Scatter(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.root, a.comm);
    },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Iscatter(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.root, a.comm, r);
    });

}  // namespace bench

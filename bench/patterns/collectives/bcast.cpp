// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

namespace bench {

namespace {

Origin result(const RankCall& call, std::size_t position) {
    return {call.root, call.root, position};
}

}  // namespace

extern const Pattern bcast;
const Pattern bcast = collective(
    "bcast", {InPlace::one_buffer, parts::none, parts::one_block, parts::own_element, result},
    [](const Arguments& a) { MPI_Bcast(a.receive, a.count, a.datatype, a.root, a.comm); },
    [](const Arguments& a, MPI_Request* r) {
        MPI_Ibcast(a.receive, a.count, a.datatype, a.root, a.comm, r);
    });

}  // namespace bench

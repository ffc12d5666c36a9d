// SPDX-License-Identifier: MIT
// All ranks send to the right and receive from the left at once.
#include "pattern_parts.hpp"

namespace bench {

namespace {

constexpr int tag = 26;

void sendrecv(const Arguments& a, int left, int right) {
    MPI_Sendrecv(a.send, a.count, a.datatype, right, tag, a.receive, a.count, a.datatype, left, tag, a.comm,
                 MPI_STATUS_IGNORE);
}

void isend(const Arguments& a, int left, int right) {
    MPI_Request requests[2];
    MPI_Irecv(a.receive, a.count, a.datatype, left, tag, a.comm, &requests[0]);
    MPI_Isend(a.send, a.count, a.datatype, right, tag, a.comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

void call(const Arguments& a) {
    constexpr void (*ways[])(const Arguments&, int, int) = {sendrecv, isend};
    int ranks = 0;
    MPI_Comm_size(a.comm, &ranks);
    ways[a.variant](a, (a.rank + ranks - 1) % ranks, (a.rank + 1) % ranks);
}

Origin result(const RankCall& call, std::size_t position) {
    const int left = (call.rank + call.ranks - 1) % call.ranks;
    return {left, left, position};
}

}  // namespace

extern const Pattern ring;
const Pattern ring = {
    .name = "ring",
    .size = {.meaning = "bytes from one rank to the next", .imb_column = "#bytes (Sendrecv)"},
    .contents = {InPlace::no, parts::one_block, parts::one_block, parts::no_input, result},
    .call = call,
    .variants = {"sendrecv", "isend"},
    .parties = Parties::all,
    .messages = [](const RankCall& call) { return static_cast<double>(call.ranks); },
};

}  // namespace bench

// SPDX-License-Identifier: MIT
// All ranks send to the right and receive from the left at once.
#include "pattern.hpp"

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

Origin result(const Place& place, std::size_t position) {
    const int left = (place.rank + place.ranks - 1) % place.ranks;
    return {left, left, position};
}

}  // namespace

extern const Pattern ring;
const Pattern ring = {
    .name = "ring",
    .size_meaning = "bytes from one rank to the next",
    .osu_column = "",
    .imb_column = "#bytes (Sendrecv)",
    .has_message = true,
    .has_root = false,
    .combines = false,
    .in_place = InPlace::no,
    .send_count = parts::one_block,
    .receive_count = parts::one_block,
    .in_place_input = parts::no_input,
    .result = result,
    .call = call,
    .variants = {"sendrecv", "isend"},
    .parties = Parties::all,
    .messages = [](const Place& place) { return static_cast<double>(place.ranks); },
};

}  // namespace bench

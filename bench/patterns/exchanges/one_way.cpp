// SPDX-License-Identifier: MIT
// The time of a message in one direction, on the global clock: from the moment before the root sends it to
// the moment at which its peer has it. Half a round trip hides that the two directions may differ. The
// clocks' error, which the header shows, is in the time.
#include "clock.hpp"
#include "pattern.hpp"

namespace bench {

namespace {

constexpr int tag = 23;

void call(const Arguments& a) {
    const double entry = a.clock->now();
    if (a.rank == a.root) {
        parts::meet(a);
        *a.seconds = a.clock->now() - entry;
        MPI_Send(a.send, a.count, a.datatype, a.peer, tag, a.comm);
        // the answer is only for the check of what was received
        MPI_Recv(a.receive, a.count, a.datatype, a.peer, tag, a.comm, MPI_STATUS_IGNORE);
    } else if (a.rank == a.peer) {
        parts::meet(a);
        MPI_Recv(a.receive, a.count, a.datatype, a.root, tag, a.comm, MPI_STATUS_IGNORE);
        *a.seconds = a.clock->now() - entry;
        MPI_Send(a.send, a.count, a.datatype, a.root, tag, a.comm);
    }
}

}  // namespace

extern const Pattern one_way;
const Pattern one_way = {
    .name = "one_way",
    .size_meaning = "bytes of the message; the time is from its sending to its arrival",
    .osu_column = "",
    .imb_column = "",
    .has_message = true,
    .has_root = true,
    .combines = false,
    .in_place = InPlace::no,
    .send_count = parts::one_block_of_parties,
    .receive_count = parts::one_block_of_parties,
    .in_place_input = parts::no_input,
    .result = parts::from_the_other,
    .call = call,
    .variants = {"send"},
    .metric = Metric::arrival,
    .messages = [](const Place&) { return 1.0; },
};

}  // namespace bench

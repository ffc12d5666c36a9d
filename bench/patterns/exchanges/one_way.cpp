// SPDX-License-Identifier: MIT
// The time of a message in one direction, on the global clock: from the moment before the root sends it to
// the moment at which its peer has it. Half a round trip hides that the two directions may differ. The
// clocks' error, which the header shows, is in the time.
#include "clock.hpp"
#include "pattern_parts.hpp"

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
    .size = {.meaning = "bytes of the message; the time is from its sending to its arrival"},
    .has_root = true,
    .contents = parts::message_each_way,
    .call = call,
    .variants = {"send"},
    .metric = Metric::arrival,
    .messages = [](const RankCall&) { return 1.0; },
};

}  // namespace bench

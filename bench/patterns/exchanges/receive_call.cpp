// SPDX-License-Identifier: MIT
// What receiving costs the processor, o_r of LogGP: the time of MPI_Recv for a message that is already there.
// The root waits until it must have come, without calling MPI. Only messages that are sent without being
// asked for (eager) come; of larger ones this is the time of their transfer.
#include "clock.hpp"
#include "pattern_parts.hpp"

namespace bench {

namespace {

enum Parameter { delay_us };
constexpr int tag = 22;

void call(const Arguments& a) {
    if (a.rank == a.peer) {
        parts::meet(a);
        MPI_Send(a.send, a.count, a.datatype, a.root, tag, a.comm);
        MPI_Recv(a.receive, a.count, a.datatype, a.root, tag, a.comm, MPI_STATUS_IGNORE);
    } else if (a.rank == a.root) {
        parts::meet(a);
        parts::busy(*a.clock, 1e-6 * a.parameters[delay_us]);
        const double begin = a.clock->now();
        MPI_Recv(a.receive, a.count, a.datatype, a.peer, tag, a.comm, MPI_STATUS_IGNORE);
        *a.seconds = a.clock->now() - begin;
        // the answer is only for the check of what was received
        MPI_Send(a.send, a.count, a.datatype, a.peer, tag, a.comm);
    }
}

}  // namespace

extern const Pattern receive_call;
const Pattern receive_call = {
    .name = "receive_call",
    .size = {.meaning = "bytes of the message; the time is that of MPI_Recv after it came"},
    .has_root = true,
    .contents = parts::message_each_way,
    .call = call,
    .variants = {"recv"},
    .parameters = {{"delay_us", 1000, 0, "from the start to the call"}},
    .metric = Metric::root,
};

}  // namespace bench

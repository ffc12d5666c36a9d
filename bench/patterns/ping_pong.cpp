// SPDX-License-Identifier: MIT
// PRTT(n, d, s) of Hoefler, Lichei and Rehm, "Low-Overhead LogGP Parameter Assessment for Modern
// Interconnection Networks" (2007): n messages with a pause of d between them, and an answer to the last one.
// One message without a pause is the usual ping-pong; n and d separate gap and overhead from latency.
#include "clock.hpp"
#include "pattern.hpp"

namespace bench {

namespace {

enum Parameter { messages, delay_us };
constexpr int tag = 21;

// The processor is busy, as it would be in a program that computes between its messages
void pause(const Clock& clock, double seconds) {
    if (seconds > 0) {
        clock.wait_until(clock.now() + seconds, seconds);
    }
}

void call(const Arguments& a) {
    const auto count = static_cast<int>(a.parameters[messages]);
    if (a.rank == a.root) {
        parts::meet(a);
        const double begin = a.clock->now();
        for (int i = 0; i < count; ++i) {
            pause(*a.clock, i > 0 ? 1e-6 * a.parameters[delay_us] : 0);
            MPI_Send(a.send, a.count, a.datatype, a.peer, tag, a.comm);
        }
        MPI_Recv(a.receive, a.count, a.datatype, a.peer, tag, a.comm, MPI_STATUS_IGNORE);
        *a.seconds = a.clock->now() - begin;
    } else if (a.rank == a.peer) {
        parts::meet(a);
        for (int i = 0; i < count; ++i) {
            MPI_Recv(a.receive, a.count, a.datatype, a.root, tag, a.comm, MPI_STATUS_IGNORE);
        }
        MPI_Send(a.send, a.count, a.datatype, a.root, tag, a.comm);
    }
}

}  // namespace

extern const Pattern ping_pong;
const Pattern ping_pong = {
    .name = "ping_pong",
    .size_meaning = "bytes of one message; the time is the whole round trip",
    .osu_column = "Size (osu_latency, which shows half the time)",
    .imb_column = "#bytes (PingPong, which shows half the time)",
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
    .parameters = {{"messages", 1, 1, "messages before the answer"},
                   {"delay_us", 0, 0, "pause between two messages"}},
};

}  // namespace bench

// SPDX-License-Identifier: MIT
// How much of a transfer's time the processor is free for work, of MPI_Isend and MPI_Irecv: post, work and
// wait, with more and more work, as Doerfler and Brightwell (2006) do it. A repetition is one whole sequence.
// With irecv an empty message asks the peer for the data when the receive is posted; it is in the time.
#include "availability.hpp"

#include <algorithm>
#include <limits>

#include "clock.hpp"
#include "pattern_parts.hpp"
#include "work.hpp"

namespace bench {

namespace {

enum Parameter { base_threshold, stop_threshold };
enum Variant { isend, irecv };
enum Value { overhead_us, available };
constexpr int times_alone = 3;
constexpr int control_tag = 32;
constexpr int data_tag = 33;

// The two sides of one iteration. `prepare` makes the peer ready; then the root's time begins.
struct Way {
    void (*prepare)(const Arguments&, MPI_Request&);  // at the peer
    void (*post)(const Arguments&, MPI_Request&);     // at the root
    void (*serve)(const Arguments&, MPI_Request&);    // at the peer
};

void nothing(const Arguments&, MPI_Request&) {}

int other_than(const Arguments& a) {
    return a.rank == a.root ? a.peer : a.root;
}

void start_send(const Arguments& a, MPI_Request& request) {
    MPI_Isend(a.send, a.count, a.datatype, other_than(a), data_tag, a.comm, &request);
}

void start_receive(const Arguments& a, MPI_Request& request) {
    MPI_Irecv(a.receive, a.count, a.datatype, other_than(a), data_tag, a.comm, &request);
}

void finish(const Arguments&, MPI_Request& request) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void start_receive_and_ask(const Arguments& a, MPI_Request& request) {
    start_receive(a, request);
    MPI_Send(nullptr, 0, MPI_BYTE, a.peer, control_tag, a.comm);
}

void send_when_asked(const Arguments& a, MPI_Request& request) {
    MPI_Recv(nullptr, 0, MPI_BYTE, a.root, control_tag, a.comm, MPI_STATUS_IGNORE);
    start_send(a, request);
    finish(a, request);
}

constexpr Way ways[] = {{start_receive, start_send, finish},
                        {nothing, start_receive_and_ask, send_when_asked}};

void lead(const Arguments& a, const Way& way) {
    static const Work work(*a.clock);
    models::PostWorkWait sequence(a.parameters[base_threshold], a.parameters[stop_threshold]);
    MPI_Request request = MPI_REQUEST_NULL;
    char goes_on = 1;
    while (!sequence.is_finished()) {
        MPI_Send(&goes_on, 1, MPI_BYTE, a.peer, control_tag, a.comm);
        MPI_Recv(nullptr, 0, MPI_BYTE, a.peer, control_tag, a.comm, MPI_STATUS_IGNORE);
        const double begin = a.clock->now();
        way.post(a, request);
        work(sequence.work_seconds());
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sequence.add(a.clock->now() - begin);
    }
    goes_on = 0;
    MPI_Send(&goes_on, 1, MPI_BYTE, a.peer, control_tag, a.comm);
    double alone = std::numeric_limits<double>::infinity();
    for (int i = 0; i < times_alone; ++i) {
        const double begin = a.clock->now();
        work(sequence.work_seconds());
        alone = std::min(alone, a.clock->now() - begin);
    }
    const models::Availability found = sequence.result(alone);
    *a.seconds = found.transfer_seconds;
    a.values[overhead_us] = 1e6 * found.overhead_seconds;
    a.values[available] = found.availability;
}

void follow(const Arguments& a, const Way& way) {
    for (;;) {
        char goes_on = 0;
        MPI_Recv(&goes_on, 1, MPI_BYTE, a.root, control_tag, a.comm, MPI_STATUS_IGNORE);
        if (goes_on == 0) {
            return;
        }
        MPI_Request request = MPI_REQUEST_NULL;
        way.prepare(a, request);
        MPI_Send(nullptr, 0, MPI_BYTE, a.root, control_tag, a.comm);
        way.serve(a, request);
    }
}

void call(const Arguments& a) {
    if (a.rank != a.root && a.rank != a.peer) {
        return;
    }
    (a.rank == a.root ? lead : follow)(a, ways[a.variant]);
    // the other direction, for the check only
    const int sender = a.variant == isend ? a.peer : a.root;
    MPI_Request request = MPI_REQUEST_NULL;
    (a.rank == sender ? start_send : start_receive)(a, request);
    finish(a, request);
}

}  // namespace

extern const Pattern availability;
const Pattern availability = {
    .name = "availability",
    .size = {.meaning = "bytes of the message; the time is that of its transfer, without work"},
    .has_root = true,
    .contents = parts::message_each_way,
    .call = call,
    .variants = {"isend", "irecv"},
    .parameters = {{"base_threshold", 1.05, 1, "of the transfer time: up to it, the work did not matter"},
                   {"stop_threshold", 2, 1.01, "of the transfer time: beyond it, the work is enough"}},
    .metric = Metric::root,
    .values = {"overhead_us", "availability"},
};

}  // namespace bench

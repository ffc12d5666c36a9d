// SPDX-License-Identifier: MIT
// PRTT(n, d, s) of Hoefler, Lichei and Rehm, "Low-Overhead LogGP Parameter Assessment for Modern
// Interconnection Networks" (2007): n messages with a pause of d between them, and an answer to the last one.
// One message without a pause is the usual ping-pong; n and d separate gap and overhead from latency.
// Each of MPI's ways to send is a row of the table.
#include <cstring>

#include "clock.hpp"
#include "pattern_parts.hpp"

namespace bench {

namespace {

enum Parameter { messages, delay_us, round_trips };
constexpr int tag = 21;

// One rank's view of the exchange
struct PingPongRank {
    const Arguments& a;
    int other;
    int sent = 0;
    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Request receive = MPI_REQUEST_NULL;
};

using SendFunction = int(const void*, int, MPI_Datatype, int, int, MPI_Comm);

template <SendFunction send_function>
void send_by(PingPongRank& s) {
    send_function(s.a.send, s.a.count, s.a.datatype, s.other, tag, s.a.comm);
}

void receive(PingPongRank& s) {
    MPI_Recv(s.a.receive, s.a.count, s.a.datatype, s.other, tag, s.a.comm, MPI_STATUS_IGNORE);
}

void start_receive(PingPongRank& s) {
    MPI_Irecv(s.a.receive, s.a.count, s.a.datatype, s.other, tag, s.a.comm, &s.receive);
}

void nothing(PingPongRank&) {}

void attach_buffer(PingPongRank& s) {
    static std::vector<char> buffer;
    int bytes = 0;
    MPI_Pack_size(s.a.count, s.a.datatype, s.a.comm, &bytes);
    buffer.resize(static_cast<std::size_t>(s.a.parameters[messages]) *
                  (static_cast<std::size_t>(bytes) + MPI_BSEND_OVERHEAD));
    MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
}

void detach_buffer(PingPongRank&) {
    void* buffer = nullptr;
    int bytes = 0;
    MPI_Buffer_detach(&buffer, &bytes);  // waits until everything in it was sent
}

// Only the first receive of a round trip is known to be ready
void send_first_by_rsend(PingPongRank& s) {
    s.sent++ == 0 ? send_by<MPI_Rsend>(s) : send_by<MPI_Send>(s);
}

void receive_started_first(PingPongRank& s) {
    s.receive == MPI_REQUEST_NULL ? receive(s) : static_cast<void>(MPI_Wait(&s.receive, MPI_STATUS_IGNORE));
}

void send_by_isend(PingPongRank& s) {
    MPI_Isend(s.a.send, s.a.count, s.a.datatype, s.other, tag, s.a.comm, &s.send);
    MPI_Wait(&s.send, MPI_STATUS_IGNORE);
}

void receive_by_irecv(PingPongRank& s) {
    start_receive(s);
    MPI_Wait(&s.receive, MPI_STATUS_IGNORE);
}

void sendrecv(PingPongRank& s) {
    MPI_Sendrecv(s.a.send, s.a.count, s.a.datatype, s.other, tag, s.a.receive, s.a.count, s.a.datatype,
                 s.other, tag, s.a.comm, MPI_STATUS_IGNORE);
}

void copy_to_receive_buffer(PingPongRank& s) {
    int bytes = 0;
    MPI_Type_size(s.a.datatype, &bytes);
    std::memcpy(s.a.receive, s.a.send, static_cast<std::size_t>(s.a.count) * static_cast<std::size_t>(bytes));
}

void sendrecv_replace(PingPongRank& s) {
    MPI_Sendrecv_replace(s.a.receive, s.a.count, s.a.datatype, s.other, tag, s.other, tag, s.a.comm,
                         MPI_STATUS_IGNORE);
}

void make_requests(PingPongRank& s) {
    MPI_Send_init(s.a.send, s.a.count, s.a.datatype, s.other, tag, s.a.comm, &s.send);
    MPI_Recv_init(s.a.receive, s.a.count, s.a.datatype, s.other, tag, s.a.comm, &s.receive);
}

void free_requests(PingPongRank& s) {
    MPI_Request_free(&s.send);
    MPI_Request_free(&s.receive);
}

template <MPI_Request PingPongRank::*request>
void start_and_wait(PingPongRank& s) {
    MPI_Start(&(s.*request));
    MPI_Wait(&(s.*request), MPI_STATUS_IGNORE);
}

using Step = void(PingPongRank&);

struct Way {
    const char* name;
    Step* send = send_by<MPI_Send>;
    Step* receive = bench::receive;
    Step* prepare = nothing;  // once, before the time counts
    Step* ready = nothing;    // before a message can come, and before the time of a round trip counts
    Step* clean_up = nothing;
    Step* last_and_answer = nullptr;  // at the root, where one call sends the last message and receives
};

constexpr Way ways[] = {
    {.name = "send"},
    {.name = "ssend", .send = send_by<MPI_Ssend>},
    {.name = "bsend", .send = send_by<MPI_Bsend>, .prepare = attach_buffer, .clean_up = detach_buffer},
    {.name = "rsend", .send = send_first_by_rsend, .receive = receive_started_first, .ready = start_receive},
    {.name = "isend", .send = send_by_isend, .receive = receive_by_irecv},
    {.name = "sendrecv", .last_and_answer = sendrecv},
    {.name = "sendrecv_replace", .ready = copy_to_receive_buffer, .last_and_answer = sendrecv_replace},
    {.name = "persistent",
     .send = start_and_wait<&PingPongRank::send>,
     .receive = start_and_wait<&PingPongRank::receive>,
     .prepare = make_requests,
     .clean_up = free_requests},
};

std::vector<const char*> names() {
    std::vector<const char*> all;
    for (const Way& way : ways) {
        all.push_back(way.name);
    }
    return all;
}

double round_trip(PingPongRank& s, const Way& way, int count) {
    const double begin = s.a.clock->now();
    for (int i = 0; i < count; ++i) {
        parts::busy(*s.a.clock, i > 0 ? 1e-6 * s.a.parameters[delay_us] : 0);
        if (i == count - 1 && way.last_and_answer != nullptr) {
            way.last_and_answer(s);
        } else {
            way.send(s);
        }
    }
    if (way.last_and_answer == nullptr) {
        way.receive(s);
    }
    return s.a.clock->now() - begin;
}

void ask(PingPongRank& s, const Way& way, int count, int rounds) {
    parts::meet(s.a);
    double seconds = 0;
    for (int round = 0; round < rounds; ++round) {
        way.ready(s);
        s.sent = 0;
        seconds += round_trip(s, way, count);
    }
    *s.a.seconds = seconds / rounds;
}

void answer(PingPongRank& s, const Way& way, int count, int rounds) {
    way.ready(s);
    parts::meet(s.a);
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < count; ++i) {
            way.receive(s);
        }
        if (round + 1 < rounds) {
            way.ready(s);
        }
        s.sent = 0;
        way.send(s);
    }
}

void call(const Arguments& a) {
    if (a.rank != a.root && a.rank != a.peer) {
        return;
    }
    const Way& way = ways[a.variant];
    PingPongRank side = {a, a.rank == a.root ? a.peer : a.root};
    way.prepare(side);
    (a.rank == a.root ? ask : answer)(side, way, static_cast<int>(a.parameters[messages]),
                                      static_cast<int>(a.parameters[round_trips]));
    way.clean_up(side);
}

}  // namespace

extern const Pattern ping_pong;
const Pattern ping_pong = {
    .name = "ping_pong",
    .size = {.meaning = "bytes of one message; the time is the whole round trip",
             .osu_column = "Size (osu_latency, which shows half the time)",
             .imb_column = "#bytes (PingPong, which shows half the time)"},
    .has_root = true,
    .contents = parts::message_each_way,
    .call = call,
    .variants = names(),
    .parameters = {{"messages", 1, 1, "messages before the answer"},
                   {"delay_us", 0, 0, "pause between two messages"},
                   {"round_trips", 1, 1, "in a row; the time is that of one"}},
    .metric = Metric::root,
    .messages = [](const RankCall& call) { return call.parameters[messages] + 1; },
    .is_round_trip = true,
};

}  // namespace bench

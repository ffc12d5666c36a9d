// SPDX-License-Identifier: MIT
// A window of messages at once, in one direction or in both, and an empty answer when all of them are there:
// bandwidth with long messages, message rate with short ones. The receives are posted before the start. Every
// message has its own call in the receive buffer; OSU's benchmarks have one for all.
#include "clock.hpp"
#include "pattern_parts.hpp"

namespace bench {

namespace {

enum Parameter { window };
enum Variant { one_direction, both_directions };
constexpr int tag = 25;

bool receives(const RankCall& call) {
    return call.rank == call.peer || (call.rank == call.root && call.variant == both_directions);
}

std::size_t receive_count(const RankCall& call) {
    return receives(call) ? static_cast<std::size_t>(call.parameters[window]) * call.count : 0;
}

Origin result(const RankCall& call, std::size_t position) {
    return parts::from_the_other(call, position % call.count);
}

void call(const Arguments& a) {
    if (a.rank != a.root && a.rank != a.peer) {
        return;
    }
    const bool is_root = a.rank == a.root;
    const int other = is_root ? a.peer : a.root;
    const bool is_both = a.variant == both_directions;
    int bytes = 0;
    MPI_Type_size(a.datatype, &bytes);
    const auto length = static_cast<std::ptrdiff_t>(a.count) * bytes;
    const auto count = static_cast<int>(a.parameters[window]);
    std::vector<MPI_Request> requests;
    requests.reserve(2 * static_cast<std::size_t>(count));
    for (int i = 0; i < count && (is_both || !is_root); ++i) {
        MPI_Irecv(static_cast<char*>(a.receive) + i * length, a.count, a.datatype, other, tag, a.comm,
                  &requests.emplace_back());
    }
    parts::meet(a);
    const double begin = a.clock->now();
    for (int i = 0; i < count && (is_both || is_root); ++i) {
        MPI_Isend(a.send, a.count, a.datatype, other, tag, a.comm, &requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    if (is_root) {
        MPI_Recv(nullptr, 0, MPI_BYTE, a.peer, tag, a.comm, MPI_STATUS_IGNORE);
        *a.seconds = a.clock->now() - begin;
    } else {
        MPI_Send(nullptr, 0, MPI_BYTE, a.root, tag, a.comm);
    }
}

}  // namespace

extern const Pattern bandwidth;
const Pattern bandwidth = {
    .name = "bandwidth",
    .size = {.meaning = "bytes of one message; the time is that of a window of them, with an empty answer",
             .osu_column = "Size (osu_bw, osu_bibw; with pairs, osu_mbw_mr)",
             .imb_column = "#bytes (Uniband, Biband)"},
    .has_root = true,
    .contents = {InPlace::no, parts::one_block_of_parties, receive_count, parts::no_input, result},
    .call = call,
    .variants = {"one_direction", "both_directions"},
    .parameters = {{"window", 64, 1, "messages at the same time"}},
    .metric = Metric::root,
    .messages =
        [](const RankCall& call) {
            return call.parameters[window] * (call.variant == both_directions ? 2 : 1);
        },
};

}  // namespace bench

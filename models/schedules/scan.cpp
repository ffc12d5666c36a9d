// SPDX-License-Identifier: MIT
// MPI_Scan and MPI_Exscan. Memory: the result, the send buffer, the partial result of the ranks met so far,
// what was received.
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules {

namespace {

Schedule recursive_doubling(const Call& call, bool with_own) {
    const int ranks = call.ranks();
    const std::size_t bytes = call.bytes;
    const std::size_t send = bytes;
    const std::size_t partial = 2 * bytes;
    const std::size_t received = 3 * bytes;
    const auto copy = [=](int, Round& round) {
        for (int rank = 0; rank < ranks; ++rank) {
            if (with_own) {
                round.copy(rank, {send, bytes}, distance(send, 0));
            }
            round.copy(rank, {send, bytes}, distance(send, partial));
        }
    };
    const auto exchange_or_combine = [=](int i, Round& round) {
        const int mask = 1 << (i / 2);
        for (int rank = 0; rank < ranks; ++rank) {
            const int partner = rank ^ mask;
            if (partner >= ranks) {
                continue;
            }
            if (i % 2 == 0) {
                round.send(rank, partner, Piece{partial, bytes}, distance(partial, received));
                continue;
            }
            round.copy(rank, {received, bytes}, distance(received, partial),
                       partner < rank ? Effect::combine_before : Effect::combine_after);
            if (partner < rank) {
                // exscan's first one is simply stored: it comes from the rank's lowest set bit
                const bool first = !with_own && (rank & (mask - 1)) == 0;
                round.copy(rank, {received, bytes}, distance(received, 0),
                           first ? Effect::store : Effect::combine_before);
            }
        }
    };
    return {{1, copy}, {2 * ceil_log2(ranks), exchange_or_combine}};
}

}  // namespace

Schedule scan_recursive_doubling(const Call& call) {
    return recursive_doubling(call, true);
}

Schedule exscan_recursive_doubling(const Call& call) {
    return recursive_doubling(call, false);
}

}  // namespace models::schedules

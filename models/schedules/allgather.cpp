// SPDX-License-Identifier: MIT
// MPI_Allgather. Memory: the receive buffer, the send buffer, Bruck's scratch buffer.
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules {

namespace {

struct Buffers : RankBlocks {
    using RankBlocks::RankBlocks;
    std::size_t send() const { return blocks.offset(ranks); }
    std::size_t scratch() const { return blocks.offset(ranks + 1); }

    // A rank's own block
    Phase copy_own(const Call& call) const {
        return {
            call.in_place ? 0 : 1,
            [b = *this](int, Round& round) {
                for (int rank = 0; rank < b.ranks; ++rank) {
                    round.copy(rank, {b.send(), b.blocks.bytes}, distance(b.send(), b.blocks.offset(rank)));
                }
            },
            same_on_each_rank};
    }
};

}  // namespace

Schedule allgather_recursive_doubling(const Call& call) {
    const Buffers b(call);
    return {b.copy_own(call),
            {ceil_log2(b.ranks),
             [=](int i, Round& round) {
                 const int mask = 1 << i;
                 for (int rank = 0; rank < b.ranks; ++rank) {
                     round.send(rank, rank ^ mask, b.blocks.piece(rank & ~(mask - 1), mask));
                 }
             },
             same_on_each_rank}};
}

Schedule allgather_brucks(const Call& call) {
    const Buffers b(call);
    const auto copy_first = [=, in_place = call.in_place](int, Round& round) {
        for (int rank = 0; rank < b.ranks; ++rank) {
            const std::size_t own = in_place ? b.blocks.offset(rank) : b.send();
            round.copy(rank, {own, b.blocks.bytes}, distance(own, b.scratch()));
        }
    };
    const auto exchange = [=](int i, Round& round) {
        const int have = 1 << i;
        const int count = std::min(have, b.ranks - have);
        for (int rank = 0; rank < b.ranks; ++rank) {
            round.send(rank, (rank - have + b.ranks) % b.ranks, Piece{b.scratch(), b.blocks.offset(count)},
                       distance(0, b.blocks.offset(have)));
        }
    };
    const auto rotate = [=](int, Round& round) {
        for (int rank = 0; rank < b.ranks; ++rank) {
            const std::size_t end = b.scratch() + b.blocks.offset(b.ranks - rank);
            round.copy(rank, {b.scratch(), b.blocks.offset(b.ranks - rank)},
                       distance(b.scratch(), b.blocks.offset(rank)));
            if (rank > 0) {
                round.copy(rank, {end, b.blocks.offset(rank)}, distance(end, 0));
            }
        }
    };
    return {{1, copy_first, same_on_each_rank},
            {ceil_log2(b.ranks), exchange, same_on_each_rank},
            {1, rotate, same_on_each_rank}};
}

Schedule allgather_ring(const Call& call) {
    const Buffers b(call);
    return {b.copy_own(call),
            {b.ranks - 1,
             [=](int i, Round& round) {
                 for (int rank = 0; rank < b.ranks; ++rank) {
                     round.send(rank, rank + 1 == b.ranks ? 0 : rank + 1,
                                b.blocks.piece((rank - i + b.ranks) % b.ranks, 1));
                 }
             },
             same_in_each_round | same_on_each_rank}};
}

}  // namespace models::schedules

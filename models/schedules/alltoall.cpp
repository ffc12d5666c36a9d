// SPDX-License-Identifier: MIT
// MPI_Alltoall. Memory: the receive buffer, the send buffer, Bruck's scratch buffer.
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules {

namespace {

struct Buffers : RankBlocks {
    using RankBlocks::RankBlocks;
    std::size_t send(int block) const { return blocks.offset(ranks + block); }
    std::size_t scratch(int block) const { return blocks.offset(2 * ranks + block); }
};

// Parts of `count` blocks, moved round by `first`: those from `first` on come to the front
void rotate(Round& round, int rank, const Buffers& b, std::size_t from, std::size_t to, int first) {
    const std::size_t head = b.blocks.offset(first);
    const std::size_t tail = b.blocks.offset(b.ranks - first);
    if (tail > 0) {
        round.copy(rank, {from + head, tail}, distance(from + head, to));
    }
    if (head > 0) {
        round.copy(rank, {from, head}, distance(from, to + tail));
    }
}

}  // namespace

Schedule alltoall_brucks(const Call& call) {
    const Buffers b(call);
    // Blocks whose number has the bit of this step, the same ones on every rank
    const auto pieces_of_step = [=](int step) {
        std::vector<Piece> pieces;
        const int mask = 1 << step;
        for (int first = mask; first < b.ranks; first += 2 * mask) {
            pieces.push_back(b.blocks.piece(first, std::min(mask, b.ranks - first)));
        }
        return pieces;
    };
    const auto rotate_in = [=](int, Round& round) {
        for (int rank = 0; rank < b.ranks; ++rank) {
            rotate(round, rank, b, b.send(0), 0, rank);
        }
    };
    const auto pack_or_exchange = [=](int i, Round& round) {
        std::vector<Piece> pieces = pieces_of_step(i / 2);
        const std::size_t count = pieces.size();
        const bool pack = i % 2 == 0;
        if (!pack) {
            for (Piece& piece : pieces) {
                piece.offset += b.scratch(0);
            }
        }
        const std::size_t first = round.add_pieces(pieces);
        for (int rank = 0; rank < b.ranks; ++rank) {
            if (pack) {
                round.send(rank, rank, first, count, distance(0, b.scratch(0)));
            } else {
                round.send(rank, (rank + (1 << (i / 2))) % b.ranks, first, count, distance(b.scratch(0), 0));
            }
        }
    };
    const auto rotate_out = [=](int, Round& round) {
        for (int rank = 0; rank < b.ranks; ++rank) {
            rotate(round, rank, b, 0, b.scratch(0), (rank + 1) % b.ranks);
        }
    };
    const auto reverse = [=](int, Round& round) {
        for (int rank = 0; rank < b.ranks; ++rank) {
            for (int block = 0; block < b.ranks; ++block) {
                round.copy(rank, {b.scratch(block), b.blocks.bytes},
                           distance(b.scratch(block), b.blocks.offset(b.ranks - 1 - block)));
            }
        }
    };
    return {{1, rotate_in, same_on_each_rank},
            {2 * ceil_log2(b.ranks), pack_or_exchange, same_on_each_rank},
            {1, rotate_out, same_on_each_rank},
            {1, reverse, same_on_each_rank}};
}

Schedule alltoall_pairwise(const Call& call) {
    const Buffers b(call);
    const bool exclusive_or = std::has_single_bit(static_cast<unsigned>(b.ranks));
    const auto copy_own = [=](int, Round& round) {
        for (int rank = 0; rank < b.ranks; ++rank) {
            deliver(round, b, rank, rank);
        }
    };
    const auto exchange = [=](int i, Round& round) {
        for (int rank = 0; rank < b.ranks; ++rank) {
            const int sum = rank + i + 1;
            deliver(round, b, rank, exclusive_or ? rank ^ (i + 1) : sum < b.ranks ? sum : sum - b.ranks);
        }
    };
    return {{1, copy_own, same_on_each_rank}, {b.ranks - 1, exchange, same_on_each_rank}};
}

// All messages to 32 ranks at a time (MPIR_CVAR_ALLTOALL_THROTTLE), the first one to the rank itself
Schedule alltoall_scattered(const Call& call) {
    constexpr int throttle = 32;
    const Buffers b(call);
    return {{(b.ranks + throttle - 1) / throttle,
             [=](int i, Round& round) {
                 const int end = std::min(b.ranks, (i + 1) * throttle);
                 for (int away = i * throttle; away < end; ++away) {
                     for (int rank = 0; rank < b.ranks; ++rank) {
                         deliver(round, b, rank, (rank - away + b.ranks) % b.ranks);
                     }
                 }
             },
             same_on_each_rank}};
}

}  // namespace models::schedules

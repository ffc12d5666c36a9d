// SPDX-License-Identifier: MIT
// MPI_Reduce_scatter and MPI_Reduce_scatter_block with the same count for every rank. Memory: the send buffer
// (all blocks), the receive buffer (one block), what was combined so far, what was received.
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules {

namespace {

struct Buffers : RankBlocks {
    using RankBlocks::RankBlocks;
    std::size_t receive() const { return blocks.offset(ranks); }
    std::size_t results() const { return blocks.offset(ranks + 1); }
    std::size_t received() const { return blocks.offset(2 * ranks + 1); }
    Piece results(int first, int count) const {
        return {results() + blocks.offset(first), blocks.offset(count)};
    }

    Phase copy_all() const {
        return {1, [b = *this](int, Round& round) {
                    for (int rank = 0; rank < b.ranks; ++rank) {
                        round.copy(rank, b.blocks.piece(0, b.ranks), distance(0, b.results()));
                    }
                }};
    }
    void copy_result(Round& round, int rank, int block) const {
        const Piece own = results(block, 1);
        round.copy(rank, own, distance(own.offset, receive()));
    }
};

}  // namespace

Schedule reduce_scatter_recursive_halving(const Call& call) {
    const Buffers b(call);
    const Fold fold(b.ranks, true);
    // Blocks of those that take part: a rank that stays for a pair cares for the blocks of both.
    const auto first_block = [=](int number) {
        return number < fold.extra ? 2 * number : number + fold.extra;
    };
    const auto fold_in = [=](int, Round& round) {
        for (int number = 0; number < fold.extra; ++number) {
            round.send(fold.folded_of(number), fold.rank_of(number), b.results(0, b.ranks), 0,
                       Effect::combine_before);
        }
    };
    const auto halve = [=](int i, Round& round) {
        const int mask = fold.power >> (i + 1);
        for (int number = 0; number < fold.power; ++number) {
            const int partner = number ^ mask;
            const int first = first_block(partner & ~(mask - 1));
            const int end = first_block((partner & ~(mask - 1)) + mask);
            round.send(fold.rank_of(number), fold.rank_of(partner), b.results(first, end - first), 0,
                       Effect::combine_before);
        }
    };
    const auto copy_own = [=](int, Round& round) {
        for (int number = 0; number < fold.power; ++number) {
            b.copy_result(round, fold.rank_of(number), fold.rank_of(number));
        }
    };
    const auto fold_out = [=](int, Round& round) {
        for (int number = 0; number < fold.extra; ++number) {
            const int folded = fold.folded_of(number);
            const Piece block = b.results(folded, 1);
            round.send(fold.rank_of(number), folded, block, distance(block.offset, b.receive()));
        }
    };
    const int folds = fold.extra > 0 ? 1 : 0;
    return {b.copy_all(), {folds, fold_in}, {fold.steps(), halve}, {1, copy_own}, {folds, fold_out}};
}

namespace {

// One step of recursive doubling (reduce_scatter_intra_recursive_doubling.c)
struct DoublingStep : DoublingTree {
    Buffers b;

    DoublingStep(const Buffers& buffers, int step_number)
        : DoublingTree{buffers.ranks, step_number}, b(buffers) {}

    bool receives(int rank) const {
        if (partner_exists(rank)) {
            return true;
        }
        for (int i = 0; i < step; ++i) {
            const int from = rank ^ (mask() >> (i + 1));
            if (from < rank && hands_over(from, i)) {
                return true;
            }
        }
        return false;
    }
    // All blocks without those of a subtree, at `base`
    std::vector<Piece> all_but(int root, std::size_t base) const {
        std::vector<Piece> pieces;
        const int end = std::min(root + mask(), b.ranks);
        if (root > 0) {
            pieces.push_back({base, b.blocks.offset(root)});
        }
        if (end < b.ranks) {
            pieces.push_back({base + b.blocks.offset(end), b.blocks.offset(b.ranks - end)});
        }
        return pieces;
    }
    void send(Round& round, int from, int to, const std::vector<Piece>& pieces, std::ptrdiff_t shift,
              Effect effect = Effect::store) const {
        const std::size_t first = round.add_pieces(pieces);
        round.send(from, to, first, pieces.size(), shift, effect);
    }

    void exchange(Round& round) const {
        for (int rank = 0; rank < b.ranks; ++rank) {
            if (partner_exists(rank)) {
                send(round, rank, rank ^ mask(), all_but(tree_root(rank), b.results()),
                     distance(b.results(), b.received()));
            }
        }
    }
    void hand_over(int i, Round& round) const {
        for (int rank = 0; rank < b.ranks; ++rank) {
            if (hands_over(rank, i)) {
                send(round, rank, rank ^ (mask() >> (i + 1)), all_but(partner_root(rank), b.received()), 0);
            }
        }
    }
    void combine(Round& round) const {
        for (int rank = 0; rank < b.ranks; ++rank) {
            if (receives(rank)) {
                send(round, rank, rank, all_but(partner_root(rank), b.received()),
                     distance(b.received(), b.results()),
                     partner_root(rank) < tree_root(rank) ? Effect::combine_before : Effect::combine_after);
            }
        }
    }
};

}  // namespace

Schedule reduce_scatter_recursive_doubling(const Call& call) {
    const Buffers b(call);
    Schedule schedule = {b.copy_all()};
    for (int i = 0; 1 << i < b.ranks; ++i) {
        const DoublingStep step(b, i);
        schedule.push_back({1, [=](int, Round& round) { step.exchange(round); }});
        schedule.push_back({step.hand_overs(), [=](int j, Round& round) { step.hand_over(j, round); }});
        schedule.push_back({1, [=](int, Round& round) { step.combine(round); }});
    }
    schedule.push_back({1, [=](int, Round& round) {
                            for (int rank = 0; rank < b.ranks; ++rank) {
                                b.copy_result(round, rank, rank);
                            }
                        }});
    return schedule;
}

Schedule reduce_scatter_pairwise(const Call& call) {
    const Buffers b(call);
    const auto exchange = [=](int i, Round& round) {  // in round 0 with itself
        for (int rank = 0; rank < b.ranks; ++rank) {
            const int to = rank + i < b.ranks ? rank + i : rank + i - b.ranks;
            round.send(rank, to, b.blocks.piece(to, 1), distance(b.blocks.offset(to), b.receive()),
                       i == 0 ? Effect::store : Effect::combine_before);
        }
    };
    return {{b.ranks, exchange, same_on_each_rank}};
}

// Recursive halving with the nearest rank first keeps the order of the operands; so that each rank ends with
// its own block, the blocks are put in bit-reversed order before.
Schedule reduce_scatter_noncommutative(const Call& call) {
    const Buffers b(call);
    const int steps = ceil_log2(b.ranks);
    const auto reversed = [=](int block) {
        int result = 0;
        for (int bit = 0; bit < steps; ++bit) {
            result |= ((block >> bit) & 1) << (steps - 1 - bit);
        }
        return result;
    };
    const auto copy_permuted = [=](int, Round& round) {
        for (int rank = 0; rank < b.ranks; ++rank) {
            for (int block = 0; block < b.ranks; ++block) {
                round.copy(rank, b.blocks.piece(block, 1),
                           distance(b.blocks.offset(block), b.results(reversed(block), 1).offset));
            }
        }
    };
    const auto halve = [=](int i, Round& round) {
        const int size = b.ranks >> (i + 1);
        for (int rank = 0; rank < b.ranks; ++rank) {
            const int peer = rank ^ (1 << i);
            // the peer's half: the bits so far, lowest first, number it from the top
            const int first = reversed(peer & ((2 << i) - 1));
            round.send(rank, peer, b.results(first, size), 0,
                       rank < peer ? Effect::combine_before : Effect::combine_after);
        }
    };
    const auto copy_result = [=](int, Round& round) {
        for (int rank = 0; rank < b.ranks; ++rank) {
            b.copy_result(round, rank, reversed(rank));
        }
    };
    return {{1, copy_permuted, same_on_each_rank},
            {steps, halve, same_on_each_rank},
            {1, copy_result, same_on_each_rank}};
}

}  // namespace models::schedules

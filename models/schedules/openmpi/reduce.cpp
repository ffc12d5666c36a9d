// SPDX-License-Identifier: MIT
// MPI_Reduce and MPI_Allreduce of Open MPI: trees with segments, rings over a vector, Rabenseifner. Scans
// send the messages of MPICH's.
#include <array>

#include "openmpi.hpp"
#include "parts.hpp"
#include "schedules.hpp"
#include "trees.hpp"

namespace models::schedules::openmpi {

namespace {

template <std::size_t segment>
Schedule reduce_pipeline(const Call& call) {
    return {copy_to_result(call), up(call, chains(call.ranks(), 1), segment)};
}
template <std::size_t segment, int fanout>
Schedule reduce_chain(const Call& call) {
    return {copy_to_result(call), up(call, chains(call.ranks(), fanout), segment)};
}
template <std::size_t segment>
Schedule reduce_binary(const Call& call) {
    return {copy_to_result(call), up(call, binary_tree(call.ranks()), segment)};
}
template <std::size_t segment>
Schedule reduce_binomial_tree(const Call& call) {
    return {copy_to_result(call), up(call, binomial_tree(call.ranks()), segment)};
}

// All to the root, which combines them in the order of the ranks
Phase to_root(const Call& call, int root) {
    return {1, [ranks = call.ranks(), all = Piece{0, call.bytes}, root](int, Round& round) {
                for (int rank = root - 1; rank >= 0; --rank) {
                    round.send(rank, root, all, 0, Effect::combine_before);
                }
                for (int rank = root + 1; rank < ranks; ++rank) {
                    round.send(rank, root, all, 0, Effect::combine_after);
                }
            }};
}
Schedule reduce_linear(const Call& call) {
    return {copy_to_result(call), to_root(call, call.root)};
}
Schedule allreduce_linear(const Call& call) {
    Call from_first = call;
    from_first.root = 0;
    Schedule schedule = {copy_to_result(call), to_root(call, 0)};
    return append(schedule, bcast_linear(from_first));
}

// A ring over a vector: one block for each rank, combined on its way round the ring, then passed on complete.
// `phases`: a block is sent in this many parts, one after the other.
Schedule ring_of_blocks(const Call& call, int phases) {
    const int ranks = call.ranks();
    const std::size_t element = call.element_bytes;
    const ElementBlocks blocks{call.bytes / element, element, ranks};
    const auto part = [=](int block, int phase) {
        const Piece whole = blocks.piece(block, 1);
        const Piece piece = ElementBlocks{whole.bytes / element, element, phases}.piece(phase, 1);
        return Piece{whole.offset + piece.offset, piece.bytes};
    };
    const auto combine = [=](int i, Round& round) {
        const int step = i % (ranks - 1);
        for (int rank = 0; rank < ranks; ++rank) {
            round.send(rank, (rank + 1) % ranks, part((rank - step + ranks) % ranks, i / (ranks - 1)), 0,
                       Effect::combine_before);
        }
    };
    const auto pass_on = [=](int i, Round& round) {
        for (int rank = 0; rank < ranks; ++rank) {
            round.send(rank, (rank + 1) % ranks, blocks.piece((rank + 1 - i + ranks) % ranks, 1));
        }
    };
    const auto same_if_equal = [&](int parts) {
        return blocks.elements % static_cast<std::size_t>(parts) == 0 ? same_in_each_round | same_on_each_rank
                                                                      : 0u;
    };
    return {copy_to_result(call),
            {phases * (ranks - 1), combine, same_if_equal(ranks * std::max(1, phases))},
            {ranks - 1, pass_on, same_if_equal(ranks)}};
}

Schedule allreduce_ring(const Call& call) {
    return ring_of_blocks(call, 1);
}

template <std::size_t segment>
Schedule allreduce_segmented_ring(const Call& call) {
    const std::size_t elements = call.bytes / call.element_bytes;
    const auto ranks = static_cast<std::size_t>(call.ranks());
    const std::size_t of_a_phase = ranks * (segment / call.element_bytes);
    const std::size_t rest = elements % of_a_phase;
    return ring_of_blocks(
        call, static_cast<int>(elements / of_a_phase + (rest >= ranks && rest > of_a_phase / 2 ? 1 : 0)));
}

// Recursive halving with windows that are cut into two, the smaller part first. Ranks beyond the power of two
// share the first combination with their neighbour, half each.
Schedule allreduce_rabenseifner(const Call& call) {
    const Fold fold(call.ranks(), false);
    const std::size_t element = call.element_bytes;
    const std::size_t elements = call.bytes / element;
    const std::size_t half = elements / 2 * element;
    const Piece left = {0, half};
    const Piece right = {half, call.bytes - half};
    // the window of a number after so many steps
    const auto window = [=](int number, int steps) {
        std::size_t first = 0;
        std::size_t count = elements;
        for (int step = 0; step < steps; ++step) {
            const std::size_t lower = count / 2;
            const bool takes_upper = ((number >> step) & 1) != 0;
            first += takes_upper ? lower : 0;
            count = takes_upper ? count - lower : lower;
        }
        return Piece{first * element, count * element};
    };
    const auto fold_in = [=](int i, Round& round) {
        for (int number = 0; number < fold.extra; ++number) {
            const int even = fold.rank_of(number);
            const int odd = fold.folded_of(number);
            if (i == 0) {
                round.send(even, odd, right, 0, Effect::combine_before);
                round.send(odd, even, left, 0, Effect::combine_after);
            } else {
                round.send(odd, even, right);
            }
        }
    };
    const auto halve = [=](int i, Round& round) {
        for (int number = 0; number < fold.power; ++number) {
            const int partner = number ^ (1 << i);
            round.send(fold.rank_of(number), fold.rank_of(partner), window(partner, i + 1), 0,
                       Effect::combine_before);
        }
    };
    const auto join = [=](int i, Round& round) {
        const int step = fold.steps() - 1 - i;
        for (int number = 0; number < fold.power; ++number) {
            round.send(fold.rank_of(number), fold.rank_of(number ^ (1 << step)), window(number, step + 1));
        }
    };
    const auto fold_out = [=, all = Piece{0, call.bytes}](int, Round& round) {
        for (int number = 0; number < fold.extra; ++number) {
            round.send(fold.rank_of(number), fold.folded_of(number), all);
        }
    };
    return {copy_to_result(call),
            {fold.extra > 0 ? 2 : 0, fold_in},
            {fold.steps(), halve},
            {fold.steps(), join},
            {fold.extra > 0 ? 1 : 0, fold_out}};
}

constexpr unsigned vector_ring = commutative_operation | element_for_every_rank;
constexpr unsigned halving = commutative_operation | element_for_each_rank;

constexpr std::array rows = {
    Algorithm{"reduce", "linear", reduce_linear},
    Algorithm{"reduce", "chain:fanout=2", reduce_chain<0, 2>, commutative_operation},
    Algorithm{"reduce", "chain:fanout=4", reduce_chain<0, 4>, commutative_operation},
    Algorithm{"reduce", "chain:segment=8Ki:fanout=2", reduce_chain<small_segment, 2>, commutative_operation,
              nullptr, small_segment},
    Algorithm{"reduce", "chain:segment=8Ki:fanout=4", reduce_chain<small_segment, 4>, commutative_operation,
              nullptr, small_segment},
    Algorithm{"reduce", "chain:segment=64Ki:fanout=2", reduce_chain<large_segment, 2>, commutative_operation,
              nullptr, large_segment},
    Algorithm{"reduce", "chain:segment=64Ki:fanout=4", reduce_chain<large_segment, 4>, commutative_operation,
              nullptr, large_segment},
    Algorithm{"reduce", "pipeline", reduce_pipeline<0>, commutative_operation},
    Algorithm{"reduce", "pipeline:segment=8Ki", reduce_pipeline<small_segment>, commutative_operation,
              nullptr, small_segment},
    Algorithm{"reduce", "pipeline:segment=64Ki", reduce_pipeline<large_segment>, commutative_operation,
              nullptr, large_segment},
    Algorithm{"reduce", "binary", reduce_binary<0>, commutative_operation},
    Algorithm{"reduce", "binary:segment=8Ki", reduce_binary<small_segment>, commutative_operation, nullptr,
              small_segment},
    Algorithm{"reduce", "binary:segment=64Ki", reduce_binary<large_segment>, commutative_operation, nullptr,
              large_segment},
    Algorithm{"reduce", "binomial", reduce_binomial_tree<0>, commutative_operation},
    Algorithm{"reduce", "binomial:segment=8Ki", reduce_binomial_tree<small_segment>, commutative_operation,
              nullptr, small_segment},
    Algorithm{"reduce", "binomial:segment=64Ki", reduce_binomial_tree<large_segment>, commutative_operation,
              nullptr, large_segment},
    Algorithm{"allreduce", "basic_linear", allreduce_linear},
    Algorithm{"allreduce", "recursive_doubling", allreduce_recursive_doubling},
    Algorithm{"allreduce", "ring", allreduce_ring, vector_ring},
    Algorithm{"allreduce", "segmented_ring:segment=8Ki", allreduce_segmented_ring<small_segment>,
              commutative_operation | segment_for_each_rank, nullptr, small_segment},
    Algorithm{"allreduce", "segmented_ring:segment=64Ki", allreduce_segmented_ring<large_segment>,
              commutative_operation | segment_for_each_rank, nullptr, large_segment},
    Algorithm{"allreduce", "rabenseifner", allreduce_rabenseifner, halving},
    Algorithm{"scan", "recursive_doubling", scan_recursive_doubling},
    Algorithm{"exscan", "recursive_doubling", exscan_recursive_doubling},
};

}  // namespace

std::span<const Algorithm> reduce_rows() {
    return rows;
}

}  // namespace models::schedules::openmpi

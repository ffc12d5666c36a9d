// SPDX-License-Identifier: MIT
// Schedules of Open MPI's algorithms where they differ from MPICH's: linear ones, chains, pipelines and trees
// with segments, rings over a vector, neighbours. They follow ompi/mca/coll/base of Open MPI 4.1.4, with the
// names of coll/tuned. Memory is that of the collective's own file here.
#include <array>

#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules {

namespace {

// ---- trees; ranks are relative to the root, which is 0, and every parent is before its children

using Parents = std::vector<int>;

Parents parents(int ranks, const std::function<int(int)>& parent_of) {
    Parents result(static_cast<std::size_t>(ranks), 0);
    for (int rank = 1; rank < ranks; ++rank) {
        result[static_cast<std::size_t>(rank)] = parent_of(rank);
    }
    return result;
}

// The other ranks in so many chains, the longer ones first, all of which start at the root
Parents chains(int ranks, int fanout) {
    const int count = std::min(fanout, ranks - 1);
    const int length = (ranks - 1) / std::max(1, count);
    const int longer = (ranks - 1) % std::max(1, count);
    return parents(ranks, [=](int rank) {
        const int place = rank - 1;
        const bool in_longer = place < longer * (length + 1);
        const int in_chain =
            in_longer ? place % (length + 1) : (place - longer * (length + 1)) % std::max(1, length);
        return in_chain == 0 ? 0 : rank - 1;
    });
}

// A level has the numbers 2^k - 1 to 2^(k+1) - 2; children are 2^k and 2^(k+1) further
Parents binary_tree(int ranks) {
    return parents(ranks, [](int rank) {
        const int on_level = floor_power_of_two(rank + 1);
        int parent = rank;
        while (parent >= on_level - 1) {
            parent -= on_level / 2;
        }
        return parent;
    });
}

// The nearest children first: the parent has not the highest bit
Parents binomial_tree(int ranks) {
    return parents(ranks, [](int rank) { return rank - floor_power_of_two(rank); });
}

Parents knomial_tree(int ranks, int radix) {
    return parents(ranks, [=](int rank) {
        int mask = radix;
        while (rank % mask == 0) {
            mask *= radix;
        }
        return rank / mask * mask;
    });
}

Parents star(int ranks) {
    return parents(ranks, [](int) { return 0; });
}

// A vector in segments of whole elements; 0: in one
struct Segments {
    std::size_t total;
    std::size_t bytes;

    Segments(std::size_t total_bytes, std::size_t segment_bytes, std::size_t element_bytes)
        : total(total_bytes),
          bytes(segment_bytes == 0 || segment_bytes >= total_bytes
                    ? total_bytes
                    : std::max<std::size_t>(1, segment_bytes / element_bytes) * element_bytes) {}
    int count() const { return bytes == 0 ? 1 : static_cast<int>((total + bytes - 1) / bytes); }
    Piece piece(int i) const {
        const std::size_t offset = static_cast<std::size_t>(i) * bytes;
        return {offset, std::min(bytes, total - offset)};
    }
};

std::vector<int> depths(const Parents& tree) {
    std::vector<int> result(tree.size(), 0);
    for (std::size_t rank = 1; rank < tree.size(); ++rank) {
        result[rank] = result[static_cast<std::size_t>(tree[rank])] + 1;
    }
    return result;
}

std::vector<int> heights(const Parents& tree) {
    std::vector<int> result(tree.size(), 0);
    for (std::size_t rank = tree.size() - 1; rank > 0; --rank) {
        int& parent = result[static_cast<std::size_t>(tree[rank])];
        parent = std::max(parent, result[rank] + 1);
    }
    return result;
}

// Each segment to all children at once, one step after it came
Schedule down(const Call& call, const Parents& tree, std::size_t segment_bytes) {
    const Segments segments(call.bytes, segment_bytes, call.element_bytes);
    const std::vector<int> depth = depths(tree);
    const int levels = *std::max_element(depth.begin(), depth.end());
    return {{segments.count() + std::max(0, levels - 1), [=, root = call.root](int i, Round& round) {
                 const auto ranks = static_cast<int>(tree.size());
                 for (int rank = 1; rank < ranks; ++rank) {
                     const int segment = i - depth[static_cast<std::size_t>(rank)] + 1;
                     if (segment >= 0 && segment < segments.count()) {
                         round.send((tree[static_cast<std::size_t>(rank)] + root) % ranks,
                                    (rank + root) % ranks, segments.piece(segment));
                     }
                 }
             }}};
}

Phase copy_to_result(const Call& call) {
    return {call.in_place ? 0 : 1, [ranks = call.ranks(), bytes = call.bytes](int, Round& round) {
                for (int rank = 0; rank < ranks; ++rank) {
                    round.copy(rank, {bytes, bytes}, -static_cast<std::ptrdiff_t>(bytes));
                }
            }};
}

// Each segment to the parent, one step after those of all children came. For operations that commute.
Phase up(const Call& call, const Parents& tree, int root, std::size_t segment_bytes) {
    const Segments segments(call.bytes, segment_bytes, call.element_bytes);
    const std::vector<int> height = heights(tree);
    return {segments.count() + std::max(0, height[0] - 1), [=](int i, Round& round) {
                const auto ranks = static_cast<int>(tree.size());
                for (int rank = 1; rank < ranks; ++rank) {
                    const int segment = i - height[static_cast<std::size_t>(rank)];
                    if (segment >= 0 && segment < segments.count()) {
                        round.send((rank + root) % ranks,
                                   (tree[static_cast<std::size_t>(rank)] + root) % ranks,
                                   segments.piece(segment), 0, Effect::combine_before);
                    }
                }
            }};
}

template <std::size_t segment>
Schedule bcast_pipeline(const Call& call) {
    return down(call, chains(call.ranks(), 1), segment);
}
template <std::size_t segment, int fanout>
Schedule bcast_chain(const Call& call) {
    return down(call, chains(call.ranks(), fanout), segment);
}
template <std::size_t segment>
Schedule bcast_binary_tree(const Call& call) {
    return down(call, binary_tree(call.ranks()), segment);
}
template <std::size_t segment>
Schedule bcast_binomial_tree(const Call& call) {
    return down(call, binomial_tree(call.ranks()), segment);
}
template <std::size_t segment>
Schedule bcast_knomial(const Call& call) {
    return down(call, knomial_tree(call.ranks(), 4), segment);
}
Schedule bcast_linear(const Call& call) {
    return down(call, star(call.ranks()), 0);
}

// Half of the message to each side of a binary tree, then each rank exchanges with its twin on the other one.
template <std::size_t segment>
Schedule bcast_split_binary_tree(const Call& call) {
    const int ranks = call.ranks();
    const int root = call.root;
    const std::size_t elements = call.bytes / call.element_bytes;
    const std::size_t left_bytes = (elements + 1) / 2 * call.element_bytes;
    const std::array<Segments, 2> halves = {Segments(left_bytes, segment, call.element_bytes),
                                            Segments(call.bytes - left_bytes, segment, call.element_bytes)};
    const Parents tree = binary_tree(ranks);
    const std::vector<int> depth = depths(tree);
    const int levels = *std::max_element(depth.begin(), depth.end());
    const auto send_half = [=](Round& round, int from, int to, int half, Piece piece) {
        piece.offset += half == 0 ? 0 : left_bytes;
        round.send((from + root) % ranks, (to + root) % ranks, piece);
    };
    const auto scatter = [=](int i, Round& round) {
        for (int rank = 1; rank < ranks; ++rank) {
            const int half = rank % 2 != 0 ? 0 : 1;
            const Segments& segments = halves[static_cast<std::size_t>(half)];
            const int index = i - depth[static_cast<std::size_t>(rank)] + 1;
            if (index >= 0 && index < segments.count()) {
                send_half(round, tree[static_cast<std::size_t>(rank)], rank, half, segments.piece(index));
            }
        }
    };
    const auto exchange = [=](int, Round& round) {
        for (int rank = 1; rank < ranks; rank += 2) {
            if (rank + 1 < ranks) {
                send_half(round, rank, rank + 1, 0, {0, halves[0].total});
                send_half(round, rank + 1, rank, 1, {0, halves[1].total});
            } else {
                send_half(round, 0, rank, 1, {0, halves[1].total});
            }
        }
    };
    return {{halves[0].count() + std::max(0, levels - 1), scatter}, {1, exchange}};
}

template <std::size_t segment>
Schedule reduce_pipeline(const Call& call) {
    return {copy_to_result(call), up(call, chains(call.ranks(), 1), call.root, segment)};
}
template <std::size_t segment, int fanout>
Schedule reduce_chain(const Call& call) {
    return {copy_to_result(call), up(call, chains(call.ranks(), fanout), call.root, segment)};
}
template <std::size_t segment>
Schedule reduce_binary(const Call& call) {
    return {copy_to_result(call), up(call, binary_tree(call.ranks()), call.root, segment)};
}
template <std::size_t segment>
Schedule reduce_binomial_tree(const Call& call) {
    return {copy_to_result(call), up(call, binomial_tree(call.ranks()), call.root, segment)};
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

// ---- rings over a vector: one block for each rank, combined on its way round, then passed on complete

// `phases`: a block goes round in so many parts, one after the other
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
    return {copy_to_result(call), {phases * (ranks - 1), combine}, {ranks - 1, pass_on}};
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

// ---- allgather and alltoall

// Pairs of neighbours, first one block, then two, to the left and to the right in turns
Schedule allgather_neighbor(const Call& call) {
    const int ranks = call.ranks();
    const EqualBlocks blocks{call.bytes};
    const std::size_t send = blocks.offset(ranks);
    const auto copy_own = [=](int, Round& round) {
        for (int rank = 0; rank < ranks; ++rank) {
            round.copy(rank, {send, blocks.bytes}, distance(send, blocks.offset(rank)));
        }
    };
    const auto exchange = [=](int i, Round& round) {
        for (int rank = 0; rank < ranks; ++rank) {
            const bool to_right = (rank % 2 == 0) == (i % 2 == 0);
            const int to = (rank + (to_right ? 1 : ranks - 1)) % ranks;
            if (i == 0) {
                round.send(rank, to, blocks.piece(rank, 1));
                continue;
            }
            // the pair of blocks that came last: the own one, then those of the nearest pairs in turns
            const int own = rank - rank % 2;
            const int away = i / 2 * 2;
            const bool from_above = i % 2 == 0 ? rank % 2 != 0 : rank % 2 == 0;
            const int first = i == 1 ? own : own + (from_above ? away : -away);
            round.send(rank, to, blocks.piece(((first % ranks) + ranks) % ranks, 2));
        }
    };
    return {{call.in_place ? 0 : 1, copy_own}, {ranks / 2, exchange}};
}

void deliver(Round& round, const EqualBlocks& blocks, int ranks, int source, int destination) {
    const std::size_t from = blocks.offset(ranks + destination);
    round.send(source, destination, Piece{from, blocks.bytes}, distance(from, blocks.offset(source)));
}

Schedule alltoall_linear(const Call& call) {
    const int ranks = call.ranks();
    const EqualBlocks blocks{call.bytes};
    return {{1, [=](int, Round& round) {
                 for (int away = 0; away < ranks; ++away) {
                     for (int rank = 0; rank < ranks; ++rank) {
                         deliver(round, blocks, ranks, rank, (rank + away) % ranks);
                     }
                 }
             }}};
}

Schedule alltoall_ring_of_pairs(const Call& call) {
    const int ranks = call.ranks();
    const EqualBlocks blocks{call.bytes};
    return {{ranks, [=](int i, Round& round) {
                 for (int rank = 0; rank < ranks; ++rank) {
                     deliver(round, blocks, ranks, rank, (rank + i + 1) % ranks);
                 }
             }}};
}

// ---- gather and scatter

Schedule gather_linear(const Call& call) {
    const EqualBlocks blocks{call.bytes};
    return {{1, [=, ranks = call.ranks(), root = call.root](int, Round& round) {
                 for (int relative = 1; relative < ranks; ++relative) {
                     round.send((relative + root) % ranks, root, blocks.piece(relative, 1));
                 }
             }}};
}

Schedule scatter_linear(const Call& call) {
    const EqualBlocks blocks{call.bytes};
    return {{1, [=, ranks = call.ranks(), root = call.root](int, Round& round) {
                 const std::size_t receive = blocks.offset(ranks);
                 for (int relative = 0; relative < ranks; ++relative) {
                     round.send(root, (relative + root) % ranks, blocks.piece(relative, 1),
                                distance(blocks.offset(relative), receive));
                 }
             }}};
}

// ---- barrier

Schedule barrier_linear(const Call& call) {
    return {{2, [ranks = call.ranks()](int i, Round& round) {
                 for (int rank = 1; rank < ranks; ++rank) {
                     round.send(i == 0 ? rank : 0, i == 0 ? 0 : rank, Piece{0, 0});
                 }
             }}};
}

Schedule barrier_double_ring(const Call& call) {
    const int ranks = call.ranks();
    return {{ranks < 2 ? 0 : 2 * ranks, [=](int i, Round& round) {
                 round.send(i % ranks, (i + 1) % ranks, Piece{0, 0});
             }}};
}

// Ranks from the largest power of two on report to the first ones
Schedule barrier_recursive_doubling(const Call& call) {
    const int ranks = call.ranks();
    const int power = floor_power_of_two(ranks);
    const auto fold = [=](bool is_in) {
        return Phase{
            ranks > power ? 1 : 0, [=](int, Round& round) {
                for (int rank = power; rank < ranks; ++rank) {
                    round.send(is_in ? rank : rank - power, is_in ? rank - power : rank, Piece{0, 0});
                }
            }};
    };
    return {fold(true),
            {ceil_log2(power),
             [=](int i, Round& round) {
                 for (int rank = 0; rank < power; ++rank) {
                     round.send(rank, rank ^ (1 << i), Piece{0, 0});
                 }
             }},
            fold(false)};
}

constexpr std::size_t small = 8 << 10;  // segments that the benchmark offers
constexpr std::size_t large = 64 << 10;

constexpr unsigned pairs = even_ranks;
constexpr unsigned vector_ring = commutative_operation | element_for_every_rank;
constexpr unsigned halving = commutative_operation | element_for_each_rank;

constexpr std::array rows = {
    Algorithm{"bcast", "basic_linear", bcast_linear},
    Algorithm{"bcast", "chain:fanout=2", bcast_chain<0, 2>},
    Algorithm{"bcast", "chain:fanout=4", bcast_chain<0, 4>},
    Algorithm{"bcast", "chain:segment=8Ki:fanout=2", bcast_chain<small, 2>, 0, nullptr, small},
    Algorithm{"bcast", "chain:segment=8Ki:fanout=4", bcast_chain<small, 4>, 0, nullptr, small},
    Algorithm{"bcast", "chain:segment=64Ki:fanout=2", bcast_chain<large, 2>, 0, nullptr, large},
    Algorithm{"bcast", "chain:segment=64Ki:fanout=4", bcast_chain<large, 4>, 0, nullptr, large},
    Algorithm{"bcast", "pipeline", bcast_pipeline<0>},
    Algorithm{"bcast", "pipeline:segment=8Ki", bcast_pipeline<small>, 0, nullptr, small},
    Algorithm{"bcast", "pipeline:segment=64Ki", bcast_pipeline<large>, 0, nullptr, large},
    Algorithm{"bcast", "split_binary_tree", bcast_split_binary_tree<0>, segment_in_each_half},
    Algorithm{"bcast", "split_binary_tree:segment=8Ki", bcast_split_binary_tree<small>, segment_in_each_half,
              nullptr, small},
    Algorithm{"bcast", "split_binary_tree:segment=64Ki", bcast_split_binary_tree<large>, segment_in_each_half,
              nullptr, large},
    Algorithm{"bcast", "binary_tree", bcast_binary_tree<0>},
    Algorithm{"bcast", "binary_tree:segment=8Ki", bcast_binary_tree<small>, 0, nullptr, small},
    Algorithm{"bcast", "binary_tree:segment=64Ki", bcast_binary_tree<large>, 0, nullptr, large},
    Algorithm{"bcast", "binomial", bcast_binomial_tree<0>},
    Algorithm{"bcast", "binomial:segment=8Ki", bcast_binomial_tree<small>, 0, nullptr, small},
    Algorithm{"bcast", "binomial:segment=64Ki", bcast_binomial_tree<large>, 0, nullptr, large},
    Algorithm{"bcast", "knomial", bcast_knomial<0>},
    Algorithm{"bcast", "knomial:segment=8Ki", bcast_knomial<small>, 0, nullptr, small},
    Algorithm{"bcast", "knomial:segment=64Ki", bcast_knomial<large>, 0, nullptr, large},
    Algorithm{"bcast", "scatter_allgather", bcast_scatter_recursive_doubling_allgather,
              power_of_two_ranks | element_for_every_rank},  // for other numbers of ranks there is no model
    Algorithm{"bcast", "scatter_allgather_ring", bcast_scatter_ring_allgather, element_for_every_rank},
    Algorithm{"reduce", "linear", reduce_linear},
    Algorithm{"reduce", "chain:fanout=2", reduce_chain<0, 2>, commutative_operation},
    Algorithm{"reduce", "chain:fanout=4", reduce_chain<0, 4>, commutative_operation},
    Algorithm{"reduce", "chain:segment=8Ki:fanout=2", reduce_chain<small, 2>, commutative_operation, nullptr,
              small},
    Algorithm{"reduce", "chain:segment=8Ki:fanout=4", reduce_chain<small, 4>, commutative_operation, nullptr,
              small},
    Algorithm{"reduce", "chain:segment=64Ki:fanout=2", reduce_chain<large, 2>, commutative_operation, nullptr,
              large},
    Algorithm{"reduce", "chain:segment=64Ki:fanout=4", reduce_chain<large, 4>, commutative_operation, nullptr,
              large},
    Algorithm{"reduce", "pipeline", reduce_pipeline<0>, commutative_operation},
    Algorithm{"reduce", "pipeline:segment=8Ki", reduce_pipeline<small>, commutative_operation, nullptr,
              small},
    Algorithm{"reduce", "pipeline:segment=64Ki", reduce_pipeline<large>, commutative_operation, nullptr,
              large},
    Algorithm{"reduce", "binary", reduce_binary<0>, commutative_operation},
    Algorithm{"reduce", "binary:segment=8Ki", reduce_binary<small>, commutative_operation, nullptr, small},
    Algorithm{"reduce", "binary:segment=64Ki", reduce_binary<large>, commutative_operation, nullptr, large},
    Algorithm{"reduce", "binomial", reduce_binomial_tree<0>, commutative_operation},
    Algorithm{"reduce", "binomial:segment=8Ki", reduce_binomial_tree<small>, commutative_operation, nullptr,
              small},
    Algorithm{"reduce", "binomial:segment=64Ki", reduce_binomial_tree<large>, commutative_operation, nullptr,
              large},
    Algorithm{"allreduce", "basic_linear", allreduce_linear},
    Algorithm{"allreduce", "recursive_doubling", allreduce_recursive_doubling},
    Algorithm{"allreduce", "ring", allreduce_ring, vector_ring},
    Algorithm{"allreduce", "segmented_ring:segment=8Ki", allreduce_segmented_ring<small>,
              commutative_operation | segment_for_each_rank, nullptr, small},
    Algorithm{"allreduce", "segmented_ring:segment=64Ki", allreduce_segmented_ring<large>,
              commutative_operation | segment_for_each_rank, nullptr, large},
    Algorithm{"allreduce", "rabenseifner", allreduce_rabenseifner, halving},
    Algorithm{"allgather", "bruck", allgather_brucks},
    Algorithm{"allgather", "recursive_doubling", allgather_recursive_doubling, power_of_two_ranks},
    Algorithm{"allgather", "ring", allgather_ring},
    Algorithm{"allgather", "neighbor", allgather_neighbor, pairs},
    Algorithm{"allgather", "two_proc", allgather_ring, two_ranks},
    Algorithm{"alltoall", "linear", alltoall_linear},
    Algorithm{"alltoall", "pairwise", alltoall_ring_of_pairs},
    Algorithm{"alltoall", "modified_bruck", alltoall_brucks},
    Algorithm{"alltoall", "linear_sync", alltoall_linear},
    Algorithm{"alltoall", "two_proc", alltoall_linear, two_ranks},
    Algorithm{"gather", "basic_linear", gather_linear},
    Algorithm{"gather", "binomial", gather_binomial},
    Algorithm{"scatter", "basic_linear", scatter_linear},
    Algorithm{"scatter", "linear_nb", scatter_linear},
    Algorithm{"scatter", "binomial", scatter_binomial},
    Algorithm{"scan", "recursive_doubling", scan_recursive_doubling},
    Algorithm{"exscan", "recursive_doubling", exscan_recursive_doubling},
    Algorithm{"barrier", "linear", barrier_linear},
    Algorithm{"barrier", "double_ring", barrier_double_ring},
    Algorithm{"barrier", "recursive_doubling", barrier_recursive_doubling},
    Algorithm{"barrier", "bruck", barrier_dissemination},
    Algorithm{"barrier", "two_proc", barrier_dissemination, two_ranks},
};

}  // namespace

std::span<const Algorithm> openmpi_algorithms() {
    return rows;
}

}  // namespace models::schedules

// SPDX-License-Identifier: MIT
#include "schedule.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>

#include "collectives.hpp"
#include "parts.hpp"
#include "schedules.hpp"

namespace models {

using schedules::distance;

void Round::clear() {
    messages_.clear();
    pieces_.clear();
    part_begin_ = 0;
}

std::size_t Round::add_pieces(std::span<const Piece> pieces) {
    const std::size_t first = pieces_.size();
    pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
    return first;
}

void Round::send(int source, int destination, std::size_t first_piece, std::size_t pieces,
                 std::ptrdiff_t shift, Effect effect) {
    std::size_t bytes = 0;
    for (std::size_t i = first_piece; i < first_piece + pieces; ++i) {
        bytes += pieces_[i].bytes;
    }
    add({source, destination, bytes, effect, shift, first_piece, pieces});
}

std::size_t Round::begin_part() {
    part_begin_ = messages_.size();
    return part_begin_;
}

void Round::end_part(std::size_t begin, std::span<const int> ranks) {
    for (std::size_t i = begin; i < messages_.size(); ++i) {
        Message& message = messages_[i];
        message.source = ranks[static_cast<std::size_t>(message.source)];
        message.destination = ranks[static_cast<std::size_t>(message.destination)];
    }
    part_begin_ = messages_.size();
}

void Round::relocate(std::size_t begin, const std::function<std::size_t(int, std::size_t)>& place) {
    for (std::size_t i = begin; i < messages_.size() && detail_ == Detail::pieces; ++i) {
        Message& message = messages_[i];
        const std::size_t first = pieces_.size();
        const std::ptrdiff_t shift = message.shift;
        for (std::size_t k = 0; k < message.pieces; ++k) {
            const Piece piece = pieces_[message.first_piece + k];
            const auto to = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(piece.offset) + shift);
            const std::size_t from = place(message.source, piece.offset);
            message.shift = distance(from, place(message.destination, to));
            pieces_.push_back({from, piece.bytes});  // others may use the same one
        }
        message.first_piece = first;
    }
    part_begin_ = messages_.size();
}

int rounds_of(const Schedule& schedule) {
    int rounds = 0;
    for (const Phase& phase : schedule) {
        rounds += phase.rounds;
    }
    return rounds;
}

void for_each_round(const Schedule& schedule, const std::function<void(const Round&)>& visit) {
    Round round;
    for (const Phase& phase : schedule) {
        for (int i = 0; i < phase.rounds; ++i) {
            round.clear();
            phase.make(i, round);
            if (!round.messages().empty()) {
                visit(round);
            }
        }
    }
}

void for_each_distinct_round(const Schedule& schedule, const Representatives& of,
                             const std::function<void(const Round&, int times)>& visit) {
    Round round(&of);
    for (const Phase& phase : schedule) {
        const bool repeats = (phase.same & same_in_each_round) != 0;
        const int distinct = repeats ? std::min(1, phase.rounds) : phase.rounds;
        for (int i = 0; i < distinct; ++i) {
            round.clear();
            phase.make(i, round);
            if (!round.messages().empty()) {
                visit(round, repeats ? phase.rounds : 1);
            }
        }
    }
}

Representatives representatives(const Schedule& schedule, const RankPlacement& layout) {
    const bool is_same = std::all_of(schedule.begin(), schedule.end(), [](const Phase& phase) {
        return phase.rounds == 0 || (phase.same & same_on_each_rank) != 0;
    });
    std::vector<int> of_ranks(layout.node_of_rank.size());
    std::iota(of_ranks.begin(), of_ranks.end(), 0);
    const std::optional<Mapping> mapping = layout.even_mapping();
    if (!is_same || !mapping) {
        return {std::move(of_ranks), 1};
    }
    for (int& rank : of_ranks) {
        rank =
            mapping == Mapping::block ? rank % (layout.ranks() / layout.nodes) : rank - rank % layout.nodes;
    }
    return {std::move(of_ranks), layout.nodes};
}

namespace {

using namespace schedules;

constexpr unsigned splits_a_vector = commutative_operation | element_for_each_rank;
constexpr unsigned smp_reduction = commutative_operation | shared_nodes;

constexpr std::array rows = {
    Algorithm{"bcast", "binomial", bcast_binomial},
    Algorithm{"bcast", "scatter_recursive_doubling_allgather", bcast_scatter_recursive_doubling_allgather},
    Algorithm{"bcast", "scatter_ring_allgather", bcast_scatter_ring_allgather},
    Algorithm{"bcast", "smp", bcast_smp, shared_nodes, bcast_smp_parts},
    Algorithm{"reduce", "binomial", reduce_binomial},
    Algorithm{"reduce", "reduce_scatter_gather", reduce_reduce_scatter_gather, splits_a_vector},
    Algorithm{"reduce", "smp", reduce_smp, smp_reduction, reduce_smp_parts},
    Algorithm{"allreduce", "recursive_doubling", allreduce_recursive_doubling},
    Algorithm{"allreduce", "reduce_scatter_allgather", allreduce_reduce_scatter_allgather, splits_a_vector},
    Algorithm{"allreduce", "smp", allreduce_smp, smp_reduction, allreduce_smp_parts},
    Algorithm{"allgather", "recursive_doubling", allgather_recursive_doubling, power_of_two_ranks},
    Algorithm{"allgather", "brucks", allgather_brucks},
    Algorithm{"allgather", "ring", allgather_ring},
    Algorithm{"alltoall", "brucks", alltoall_brucks},
    Algorithm{"alltoall", "pairwise", alltoall_pairwise},
    Algorithm{"alltoall", "scattered", alltoall_scattered},
    Algorithm{"reduce_scatter", "recursive_halving", reduce_scatter_recursive_halving, commutative_operation},
    Algorithm{"reduce_scatter", "recursive_doubling", reduce_scatter_recursive_doubling},
    Algorithm{"reduce_scatter", "pairwise", reduce_scatter_pairwise, commutative_operation},
    Algorithm{"reduce_scatter", "noncommutative", reduce_scatter_noncommutative, power_of_two_ranks},
    Algorithm{"reduce_scatter_block", "recursive_halving", reduce_scatter_recursive_halving,
              commutative_operation},
    Algorithm{"reduce_scatter_block", "recursive_doubling", reduce_scatter_recursive_doubling},
    Algorithm{"reduce_scatter_block", "pairwise", reduce_scatter_pairwise, commutative_operation},
    Algorithm{"reduce_scatter_block", "noncommutative", reduce_scatter_noncommutative, power_of_two_ranks},
    Algorithm{"gather", "binomial", gather_binomial},
    Algorithm{"scatter", "binomial", scatter_binomial},
    Algorithm{"scan", "recursive_doubling", scan_recursive_doubling},
    Algorithm{"exscan", "recursive_doubling", exscan_recursive_doubling},
    Algorithm{"barrier", "dissemination", barrier_dissemination},
    Algorithm{"barrier", "smp", barrier_smp, shared_nodes},
    // only in the patched MPICH: of other collectives
    Algorithm{"bcast", "scatter_allgather", bcast_scatter_allgather, 0, bcast_scatter_allgather_parts},
    Algorithm{"reduce", "allreduce", reduce_allreduce, 0, reduce_allreduce_parts},
    Algorithm{"allreduce", "reduce_bcast", allreduce_reduce_bcast, 0, allreduce_reduce_bcast_parts},
    Algorithm{"allreduce", "reduce_scatter_block_allgather", allreduce_reduce_scatter_block_allgather, 0,
              allreduce_reduce_scatter_block_allgather_parts},
    Algorithm{"allgather", "gather_bcast", allgather_gather_bcast, 0, allgather_gather_bcast_parts},
    Algorithm{"reduce_scatter", "allreduce", reduce_scatter_allreduce, 0, reduce_scatter_allreduce_parts},
    Algorithm{"reduce_scatter_block", "allreduce", reduce_scatter_allreduce, 0,
              reduce_scatter_allreduce_parts},
};

constexpr std::size_t compositions = 7;  // the last rows

}  // namespace

std::span<const Algorithm> algorithms(Implementation implementation) {
    switch (implementation) {
        case Implementation::openmpi:
            return openmpi_algorithms();
        case Implementation::stock_mpich:
            return std::span<const Algorithm>(rows).first(rows.size() - compositions);
        default:
            return rows;
    }
}

bool is_composition(std::string_view collective, std::string_view name) {
    return find_algorithm(collective, name) != nullptr &&
           find_algorithm(collective, name, Implementation::stock_mpich) == nullptr;
}

bool is_for(const Algorithm& algorithm, std::string_view collective) {
    return algorithm.collective == collective || (algorithm.collective == modelled_as(collective) &&
                                                  !is_composition(algorithm.collective, algorithm.name));
}

const Algorithm* find_algorithm(std::string_view collective, std::string_view name,
                                Implementation implementation) {
    const std::span<const Algorithm> all = algorithms(implementation);
    const auto row = std::find_if(all.begin(), all.end(), [&](const Algorithm& a) {
        return a.collective == collective && a.name == name;
    });
    return row == all.end() ? nullptr : &*row;
}

bool is_allowed(const Algorithm& algorithm, const Call& call) {
    const auto ranks = static_cast<unsigned>(call.ranks());
    const auto needs = [&](Precondition p) { return (algorithm.preconditions & p) != 0; };
    if (needs(power_of_two_ranks) && !std::has_single_bit(ranks)) {
        return false;
    }
    if (needs(commutative_operation) && !call.commutative) {
        return false;
    }
    if (needs(element_for_each_rank) && call.bytes / call.element_bytes < std::bit_floor(ranks)) {
        return false;
    }
    const std::size_t elements = call.bytes / call.element_bytes;
    const std::size_t segment = algorithm.segment_bytes;
    if ((needs(two_ranks) && ranks != 2) || (needs(even_ranks) && ranks % 2 != 0) ||
        (needs(element_for_every_rank) && elements < ranks) || (segment > 0 && call.bytes <= segment) ||
        (needs(segment_in_each_half) && (elements < 2 || call.bytes / 2 < segment)) ||
        (needs(segment_for_each_rank) && call.bytes < ranks * segment)) {
        return false;
    }
    return !needs(shared_nodes) || (call.layout->nodes > 1 && call.layout->nodes < call.ranks());
}

}  // namespace models

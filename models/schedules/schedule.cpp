// SPDX-License-Identifier: MIT
#include "schedule.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "schedules.hpp"

namespace models {

void Round::clear() {
    messages_.clear();
    pieces_.clear();
}

std::size_t Round::add_pieces(std::span<const Piece> pieces) {
    const std::size_t first = pieces_.size();
    pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
    return first;
}

void Round::send(int source, int destination, Piece piece, std::ptrdiff_t shift, Effect effect) {
    pieces_.push_back(piece);
    messages_.push_back({source, destination, piece.bytes, effect, shift, pieces_.size() - 1, 1});
}

void Round::send(int source, int destination, std::size_t first_piece, std::size_t pieces,
                 std::ptrdiff_t shift, Effect effect) {
    std::size_t bytes = 0;
    for (std::size_t i = first_piece; i < first_piece + pieces; ++i) {
        bytes += pieces_[i].bytes;
    }
    messages_.push_back({source, destination, bytes, effect, shift, first_piece, pieces});
}

void Round::append(const Round& other, std::span<const int> ranks) {
    const std::size_t first = add_pieces(other.pieces_);
    for (Message message : other.messages_) {
        message.source = ranks[static_cast<std::size_t>(message.source)];
        message.destination = ranks[static_cast<std::size_t>(message.destination)];
        message.first_piece += first;
        messages_.push_back(message);
    }
}

std::vector<double> exchanged_bytes(const Round& round) {
    // The messages of each rank as a list, since there are few: positions, counted from 1. Without local
    // copies, of which a rank can have one for every other rank in a round.
    std::vector<std::size_t> last_of_rank;
    std::vector<std::size_t> one_before = {0};
    for (const Message& message : round.messages()) {
        const auto ranks = static_cast<std::size_t>(std::max(message.source, message.destination)) + 1;
        last_of_rank.resize(std::max(last_of_rank.size(), ranks));
        std::size_t& last = last_of_rank[static_cast<std::size_t>(message.source)];
        one_before.push_back(last);
        last = message.source == message.destination ? last : one_before.size() - 1;
    }
    std::vector<double> exchanged;
    for (const Message& message : round.messages()) {
        std::size_t back = 0;
        const bool is_copy = message.source == message.destination;
        for (std::size_t i = is_copy ? 0 : last_of_rank[static_cast<std::size_t>(message.destination)];
             i != 0; i = one_before[i]) {
            const Message& other = round.messages()[i - 1];
            back += other.destination == message.source ? other.bytes : 0;
        }
        exchanged.push_back(static_cast<double>(std::min(message.bytes, back)));
    }
    return exchanged;
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

namespace {

using namespace schedules;

constexpr unsigned splits_a_vector = commutative_operation | element_for_each_rank;
constexpr unsigned smp_reduction = commutative_operation | shared_nodes;

constexpr std::array rows = {
    Algorithm{"bcast", "binomial", bcast_binomial},
    Algorithm{"bcast", "scatter_recursive_doubling_allgather", bcast_scatter_recursive_doubling_allgather,
              power_of_two_ranks},
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
};

}  // namespace

std::span<const Algorithm> algorithms(Implementation implementation) {
    return implementation == Implementation::openmpi ? openmpi_algorithms()
                                                     : std::span<const Algorithm>(rows);
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

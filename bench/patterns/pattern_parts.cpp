// SPDX-License-Identifier: MIT
#include "pattern_parts.hpp"

#include "clock.hpp"

namespace bench::parts {

std::size_t none(const RankCall&) {
    return 0;
}

std::size_t one_block(const RankCall& call) {
    return call.count;
}

std::size_t all_blocks(const RankCall& call) {
    return call.count * static_cast<std::size_t>(call.ranks);
}

std::size_t all_blocks_at_root(const RankCall& call) {
    return call.rank == call.root ? all_blocks(call) : 0;
}

std::size_t one_block_at_root(const RankCall& call) {
    return call.rank == call.root ? call.count : 0;
}

Origin own_element(const RankCall& call, std::size_t position) {
    return {call.rank, call.rank, position};
}

Origin no_input(const RankCall&, std::size_t) {
    return undefined_origin;
}

Origin own_block_of_all(const RankCall& call, std::size_t position) {
    const std::size_t block = position / call.count;
    return block == static_cast<std::size_t>(call.rank) ? own_element(call, position % call.count)
                                                        : undefined_origin;
}

Origin gathered(const RankCall& call, std::size_t position) {
    const int from = static_cast<int>(position / call.count);
    return {from, from, position % call.count};
}

Origin transposed(const RankCall& call, std::size_t position) {
    const int from = static_cast<int>(position / call.count);
    return {from, from, static_cast<std::size_t>(call.rank) * call.count + position % call.count};
}

Origin combined_over_all(const RankCall& call, std::size_t position) {
    return {0, call.ranks - 1, position};
}

Origin own_block_combined(const RankCall& call, std::size_t position) {
    // in call, the buffer is longer than the result
    return position < call.count
               ? combined_over_all(call, static_cast<std::size_t>(call.rank) * call.count + position)
               : undefined_origin;
}

std::size_t one_block_of_parties(const RankCall& call) {
    return call.is_party() ? call.count : 0;
}

void meet(const Arguments& a) {
    constexpr int tag = 20;
    if (a.rank == a.root) {
        MPI_Send(nullptr, 0, MPI_BYTE, a.peer, tag, a.comm);
        MPI_Recv(nullptr, 0, MPI_BYTE, a.peer, tag, a.comm, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(nullptr, 0, MPI_BYTE, a.root, tag, a.comm, MPI_STATUS_IGNORE);
        MPI_Send(nullptr, 0, MPI_BYTE, a.root, tag, a.comm);
    }
}

void busy(const Clock& clock, double seconds) {
    if (seconds > 0) {
        clock.wait_until(clock.now() + seconds, seconds);
    }
}

Origin from_the_other(const RankCall& call, std::size_t position) {
    const int other = call.rank == call.root ? call.peer : call.root;
    return call.is_party() ? Origin{other, other, position} : undefined_origin;
}

}  // namespace bench::parts

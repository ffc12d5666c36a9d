// SPDX-License-Identifier: MIT
// The table of the patterns, and the parts that several of them use.
#include <algorithm>

#include "clock.hpp"
#include "pattern.hpp"

namespace bench {

extern const Pattern barrier, bcast, reduce, allreduce, allgather, allgatherv, alltoall, alltoallv,
    reduce_scatter, reduce_scatter_block, gather, scatter, scan, exscan, ping_pong, one_way, receive_call,
    bandwidth, availability, ring, halo, master_worker, local_call, new_communicator;

const std::vector<const Pattern*>& patterns() {
    static const std::vector<const Pattern*> table = [] {
        std::vector<const Pattern*> all = {
            &bcast,         &reduce,         &allreduce,
            &allgather,     &allgatherv,     &alltoall,
            &alltoallv,     &reduce_scatter, &reduce_scatter_block,
            &gather,        &scatter,        &scan,
            &exscan,        &barrier,        &ping_pong,
            &one_way,       &receive_call,   &bandwidth,
            &availability,  &ring,           &halo,
            &master_worker, &local_call,     &new_communicator,
        };
        for (const Pattern& pattern : nonblocking_patterns()) {
            all.push_back(&pattern);
        }
        return all;
    }();
    return table;
}

const Pattern* find_pattern(const std::string& name) {
    for (const Pattern* pattern : patterns()) {
        if (name == pattern->name) {
            return pattern;
        }
    }
    return nullptr;
}

std::string pattern_names() {
    std::string names;
    for (const Pattern* pattern : patterns()) {
        names += (names.empty() ? "" : ", ") + std::string(pattern->name);
    }
    return names;
}

std::size_t Pattern::variant_of(const std::string& wanted) const {
    return static_cast<std::size_t>(std::find(variants.begin(), variants.end(), wanted) - variants.begin());
}

namespace parts {

std::size_t none(const Place&) {
    return 0;
}

std::size_t one_block(const Place& place) {
    return place.count;
}

std::size_t all_blocks(const Place& place) {
    return place.count * static_cast<std::size_t>(place.ranks);
}

std::size_t all_blocks_at_root(const Place& place) {
    return place.rank == place.root ? all_blocks(place) : 0;
}

std::size_t one_block_at_root(const Place& place) {
    return place.rank == place.root ? place.count : 0;
}

Origin own_element(const Place& place, std::size_t position) {
    return {place.rank, place.rank, position};
}

Origin no_input(const Place&, std::size_t) {
    return undefined_origin;
}

Origin own_block_of_all(const Place& place, std::size_t position) {
    const std::size_t block = position / place.count;
    return block == static_cast<std::size_t>(place.rank) ? own_element(place, position % place.count)
                                                         : undefined_origin;
}

Origin gathered(const Place& place, std::size_t position) {
    const int from = static_cast<int>(position / place.count);
    return {from, from, position % place.count};
}

Origin transposed(const Place& place, std::size_t position) {
    const int from = static_cast<int>(position / place.count);
    return {from, from, static_cast<std::size_t>(place.rank) * place.count + position % place.count};
}

Origin combined_over_all(const Place& place, std::size_t position) {
    return {0, place.ranks - 1, position};
}

Origin own_block_combined(const Place& place, std::size_t position) {
    // in place, the buffer is longer than the result
    return position < place.count
               ? combined_over_all(place, static_cast<std::size_t>(place.rank) * place.count + position)
               : undefined_origin;
}

std::size_t one_block_of_parties(const Place& place) {
    return place.is_party() ? place.count : 0;
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

Origin from_the_other(const Place& place, std::size_t position) {
    const int other = place.rank == place.root ? place.peer : place.root;
    return place.is_party() ? Origin{other, other, position} : undefined_origin;
}

}  // namespace parts

}  // namespace bench

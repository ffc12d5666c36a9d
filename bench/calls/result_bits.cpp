// SPDX-License-Identifier: MIT
#include "result_bits.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <vector>

namespace bench {

namespace {

// A sum of few numbers may be the same in another order by chance: so many are summed, in several calls. More
// would cost as much as measuring where ranks share cores, and larger messages have more anyway.
constexpr std::size_t enough_elements = 16;

struct Digests {
    std::uint64_t places;  // which elements of the result the rank has
    std::uint64_t bits;    // their bits
};

std::vector<Digests> of_all_ranks(Digests mine, MPI_Comm all, int ranks) {
    std::vector<Digests> digests(static_cast<std::size_t>(ranks));
    MPI_Allgather(&mine, 2, MPI_UINT64_T, digests.data(), 2, MPI_UINT64_T, all);
    return digests;
}

}  // namespace

bool has_bits(const GroupSpec& group) {
    return group.pattern->combines && group.bytes > 0 && rounding_elements(*group.elements) != nullptr;
}

models::ResultBits bits_of_results(const GroupSpec& group, const std::string& algorithm, MPI_Comm comm,
                                   MPI_Comm all, const Clock& clock,
                                   const std::shared_ptr<const CallBuffers>& buffers) {
    GroupSpec rounding = group;
    rounding.elements = rounding_elements(*group.elements);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &ranks);
    CallData data(rounding, algorithm, rank, ranks, buffers);
    const std::size_t count = group.bytes / group.elements->size;
    const std::size_t calls = (enough_elements + count - 1) / count;
    Digests mine = {empty_digest, empty_digest};
    for (std::size_t call = 0; call < calls; ++call) {
        data.fill(call * count);
        data.call(comm, clock);
        data.digest(mine.places, mine.bits);
    }
    std::map<std::uint64_t, std::uint64_t> bits_of_places;
    models::ResultBits result;
    std::uint64_t together = empty_digest;
    for (const Digests& digests : of_all_ranks(mine, all, ranks)) {
        result.ranks_agree &=
            bits_of_places.emplace(digests.places, digests.bits).first->second == digests.bits;
        together = add_to_digest(together, &digests.bits, sizeof digests.bits);
    }
    result.bits = fmt::format("{:016x}", together);
    return result;
}

}  // namespace bench

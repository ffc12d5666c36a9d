// SPDX-License-Identifier: MIT
// Memory that an algorithm allocates for the time of a call, besides the buffers of the user: as the sources
// of MPICH 4.0.2 do for data without gaps (src/mpi/coll/*/*_intra_*.c), checked by a test that counts what
// the library allocates. What devices need for messages that arrive early is not in it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "schedule.hpp"

namespace models {

// Of each rank, in bytes. Nothing: it is not known. `algorithm` may have parameters.
std::optional<std::vector<std::size_t>> extra_memory(std::string_view collective, std::string_view algorithm,
                                                     const Call& call);

// Of the rank that needs most, whoever is root: that of rank 0 or of the last one
std::optional<std::size_t> most_extra_memory(std::string_view collective, std::string_view algorithm,
                                             const RankPlacement& layout, std::size_t bytes);

}  // namespace models

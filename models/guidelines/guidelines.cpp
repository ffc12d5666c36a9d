// SPDX-License-Identifier: MIT
// Sources: J. L. Traeff, W. D. Gropp, R. Thakur: Self-consistent MPI performance guidelines, IEEE TPDS 21(5),
// 2010. S. Hunold, A. Carpen-Amarie: Autotuning MPI collectives using performance guidelines, HPC Asia 2018
// (PGMPI). MPI: A Message-Passing Interface Standard, version 4.0, chapter 6.
#include "guidelines.hpp"

#include <algorithm>
#include <array>

#include "collectives.hpp"

namespace models {

namespace {

using enum GuidelineKind;

constexpr std::string_view tgt = "Traeff, Gropp, Thakur 2010";
constexpr std::string_view pgmpi = "Hunold, Carpen-Amarie 2018";
constexpr std::string_view standard = "MPI 4.0, chapter 6: the same result";

constexpr std::array table = {
    Guideline{"allreduce", "mockup:reduce+bcast", "reduce, bcast", pattern, tgt},
    Guideline{"allreduce", "mockup:reduce_scatter_block+allgather", "reduce_scatter_block, allgather",
              pattern, tgt},
    Guideline{"allgather", "mockup:gather+bcast", "gather, bcast", pattern, tgt},
    Guideline{"allgather", "mockup:allgatherv", "allgatherv", pattern, tgt},
    Guideline{"allgather", "mockup:alltoall", "alltoall", pattern, pgmpi},
    Guideline{"allgatherv", "mockup:gatherv+bcast", "gatherv, bcast", pattern, tgt},
    Guideline{"alltoall", "mockup:alltoallv", "alltoallv", pattern, tgt},
    Guideline{"barrier", "mockup:allreduce", "allreduce of one int", pattern, pgmpi},
    Guideline{"bcast", "mockup:scatter+allgather", "scatter, allgather", pattern, tgt},
    Guideline{"gather", "mockup:allgather", "allgather", pattern, tgt},
    Guideline{"reduce", "mockup:allreduce", "allreduce", pattern, tgt},
    Guideline{"reduce", "mockup:reduce_scatter_block+gather", "reduce_scatter_block, gather", pattern, tgt},
    Guideline{"reduce_scatter", "mockup:allreduce", "allreduce", pattern, pgmpi},
    Guideline{"reduce_scatter", "mockup:reduce+scatterv", "reduce, scatterv", pattern, tgt},
    Guideline{"reduce_scatter_block", "mockup:allreduce", "allreduce", pattern, pgmpi},
    Guideline{"reduce_scatter_block", "mockup:reduce+scatter", "reduce, scatter", pattern, tgt},
    Guideline{"reduce_scatter_block", "mockup:reduce_scatter", "reduce_scatter", pattern, tgt},
    Guideline{"scan", "mockup:exscan+reduce_local", "exscan, reduce_local", pattern, pgmpi},
    Guideline{"scatter", "mockup:bcast", "bcast", pattern, tgt},
    Guideline{"", "mockup:double_size", "itself, twice the size", monotony, tgt},
    Guideline{"", "mockup:two_halves", "itself, twice with half the size", split, tgt},
    Guideline{"allgather", "mockup:in_place", "itself in place, after a copy", in_place, standard},
    Guideline{"allreduce", "mockup:in_place", "itself in place, after a copy", in_place, standard},
    Guideline{"scan", "mockup:in_place", "itself in place, after a copy", in_place, standard},
    Guideline{"", "mockup:nonblocking", "itself nonblocking, wait", nonblocking, standard},
    Guideline{"", "mockup:persistent", "itself, blocking", persistent, standard, true},
};
constexpr Guideline of_nonblocking = {"", "mockup:blocking", "itself blocking", nonblocking, standard};

}  // namespace

std::string_view to_string(GuidelineKind kind) {
    constexpr std::array names = {"pattern", "monotony", "split", "in place", "nonblocking", "persistent"};
    return names[static_cast<std::size_t>(kind)];
}

bool is_mock_up(std::string_view algorithm) {
    return algorithm.starts_with(mock_up_prefix);
}

std::vector<Guideline> guidelines_of(std::string_view collective) {
    const Collective* row = find_collective(collective);
    if (row == nullptr) {
        const bool is_nonblocking =
            collective.starts_with('i') && find_collective(collective.substr(1)) != nullptr;
        return is_nonblocking ? std::vector{of_nonblocking} : std::vector<Guideline>{};
    }
    std::vector<Guideline> found;
    std::copy_if(table.begin(), table.end(), std::back_inserter(found), [&](const Guideline& guideline) {
        return guideline.left_side == collective || (guideline.left_side.empty() && row->has_message);
    });
    return found;
}

}  // namespace models

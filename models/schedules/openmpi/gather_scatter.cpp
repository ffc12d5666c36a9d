// SPDX-License-Identifier: MIT
// MPI_Gather and MPI_Scatter of Open MPI: the root sends or receives all messages itself.
#include <array>

#include "openmpi.hpp"
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules::openmpi {

namespace {

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

constexpr std::array rows = {
    Algorithm{"gather", "basic_linear", gather_linear},   Algorithm{"gather", "binomial", gather_binomial},
    Algorithm{"scatter", "basic_linear", scatter_linear}, Algorithm{"scatter", "linear_nb", scatter_linear},
    Algorithm{"scatter", "binomial", scatter_binomial},
};

}  // namespace

std::span<const Algorithm> gather_rows() {
    return rows;
}

}  // namespace models::schedules::openmpi

// SPDX-License-Identifier: MIT
// MPI_Gather and MPI_Scatter. Memory: all blocks in the order of relative ranks (the root's first), the one
// block that a rank receives from scatter.
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules {

Schedule gather_binomial(const Call& call) {
    const int ranks = call.ranks();
    const int root = call.root;
    const EqualBlocks blocks{call.bytes};
    const auto copy_own = [=](int, Round& round) { round.copy(root, blocks.piece(0, 1), 0); };
    const auto up_the_tree = [=](int i, Round& round) {
        const int mask = 1 << i;
        for (int parent = 0; parent + mask < ranks; parent += 2 * mask) {
            const int child = parent + mask;
            round.send((child + root) % ranks, (parent + root) % ranks,
                       blocks.piece(child, std::min(mask, ranks - child)));
        }
    };
    return {{call.in_place ? 0 : 1, copy_own}, {ceil_log2(ranks), up_the_tree}};
}

Schedule scatter_binomial(const Call& call) {
    const int ranks = call.ranks();
    const int root = call.root;
    const int steps = ceil_log2(ranks);
    const EqualBlocks blocks{call.bytes};
    const std::size_t receive = blocks.offset(ranks);
    // A root other than 0 first puts the blocks in the order of relative ranks.
    const auto reorder = [=](int, Round& round) { round.copy(root, blocks.piece(0, ranks), 0); };
    const auto down_the_tree = [=](int i, Round& round) {
        const int mask = 1 << (steps - 1 - i);
        for (int parent = 0; parent + mask < ranks; parent += 2 * mask) {
            const int child = parent + mask;
            const Piece piece = blocks.piece(child, std::min(mask, ranks - child));
            // odd ones have no children and receive into the user's buffer
            round.send((parent + root) % ranks, (child + root) % ranks, piece,
                       child % 2 != 0 ? distance(piece.offset, receive) : 0);
        }
    };
    const auto copy_own = [=](int, Round& round) {
        for (int relative = 0; relative < ranks; relative += 2) {
            round.copy((relative + root) % ranks, blocks.piece(relative, 1),
                       distance(blocks.offset(relative), receive));
        }
    };
    return {{root == 0 ? 0 : 1, reorder}, {steps, down_the_tree}, {1, copy_own}};
}

}  // namespace models::schedules

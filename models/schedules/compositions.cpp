// SPDX-License-Identifier: MIT
// Collectives made of other collectives (src/mpi/coll/src/coll_compositions.c of the patched MPICH). Parts
// use the algorithms of the built-in selection. What does not divide by the ranks is a part of its own.
// Memory as in the files of the collectives; scratch buffers of the parts are behind it.
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules {

namespace {

Call part_of(const Call& call, std::size_t bytes, std::size_t deciding_bytes, int root = 0) {
    Call part = call;
    part.bytes = bytes;
    part.deciding_bytes = deciding_bytes;
    part.root = root;
    return part;
}

Call in_place(Call call) {
    call.in_place = true;
    return call;
}

std::size_t count_of(const Call& call) {
    return static_cast<std::size_t>(call.ranks());
}

// A vector in equal blocks of whole elements, one for each rank, and the rest. Whether there are both depends
// on the size by which algorithms choose: a scaled schedule has the rest of another size, maybe no bytes.
struct EqualParts {
    std::size_t block;
    std::size_t blocks;
    std::size_t rest;
    bool has_rest;

    EqualParts(const Call& call, std::size_t element_bytes) {
        const std::size_t elements = call.size_for_choice() / element_bytes;
        block = elements < count_of(call) ? 0 : call.bytes / element_bytes / count_of(call) * element_bytes;
        blocks = block * count_of(call);
        rest = call.bytes - blocks;
        has_rest = rest > 0 || elements % count_of(call) != 0;
    }
    // Names of what the blocks use, and of what the rest does
    std::string names(const std::string& of_blocks) const {
        return (block > 0 ? of_blocks : std::string()) + (has_rest ? "+rest" : "");
    }
};

std::size_t deciding_block(const Call& call) {
    return call.size_for_choice() / count_of(call);
}

std::size_t deciding_total(const Call& call) {
    return call.size_for_choice() * count_of(call);
}

Call block_of(const Call& call, const EqualParts& parts) {
    return part_of(call, parts.block, deciding_block(call), call.root);
}

// In place, in the blocks at the beginning of the memory; scratch moves away by `far`
Schedule allgather_of_blocks(const Call& call, const EqualParts& parts, std::size_t far) {
    const Call part = in_place(block_of(call, parts));
    return relocated(flat_allgather(part).schedule(part),
                     [=](int, std::size_t offset) { return offset < parts.blocks ? offset : offset + far; });
}

// From the root's message to the place of each rank in its own
Schedule scatter_of_blocks(const Call& call, const EqualParts& parts) {
    const int root = call.root;
    const int ranks = call.ranks();
    const EqualBlocks blocks{parts.block};
    Schedule scatter = scatter_binomial(block_of(call, parts));
    scatter = relocated(std::move(scatter), [=, all = call.bytes](int rank, std::size_t offset) {
        if (offset >= parts.blocks) {
            return offset - parts.blocks + blocks.offset(rank);
        }
        return rank == 0 && root == 0 ? offset : all + offset;
    });
    // into the order of relative ranks
    scatter.front().make = [=, all = call.bytes](int, Round& round) {
        round.copy(root, blocks.piece(root, ranks - root), distance(blocks.offset(root), all));
        round.copy(root, blocks.piece(0, root), distance(0, all + blocks.offset(ranks - root)));
    };
    return scatter;
}

Schedule chosen(Choose choose, const Call& call) {
    return choose(call).schedule(call);
}

}  // namespace

Schedule bcast_scatter_allgather(const Call& call) {
    const EqualParts parts(call, 1);
    Schedule schedule;
    if (parts.block > 0) {
        append(schedule, scatter_of_blocks(call, parts));
        append(schedule, allgather_of_blocks(call, parts, 2 * call.bytes));
    }
    if (parts.has_rest) {
        append(schedule, relocated(bcast_binomial(part_of(call, parts.rest, 0, call.root)),
                                   [=](int, std::size_t offset) { return offset + parts.blocks; }));
    }
    return schedule;
}

Schedule allgather_gather_bcast(const Call& call) {
    const RankBlocks b(call);
    const std::size_t send = b.blocks.offset(b.ranks);
    const bool has_send = !call.in_place;
    // odd ranks are leaves of the tree, and send what the user has given
    const auto copy_own = [=](int, Round& round) {
        for (int rank = 0; rank < b.ranks; rank += 2) {
            round.copy(rank, {send, b.blocks.bytes}, distance(send, b.blocks.offset(rank)));
        }
    };
    Schedule schedule = {{has_send ? 1 : 0, copy_own}};
    append(schedule, relocated(gather_binomial(in_place(part_of(call, call.bytes, 0))),
                               [=](int rank, std::size_t offset) {
                                   return has_send && rank % 2 != 0 ? send : offset;
                               }));
    append(schedule, chosen(flat_bcast, part_of(call, call.bytes * count_of(call), deciding_total(call))));
    return schedule;
}

Schedule reduce_allreduce(const Call& call) {
    return chosen(flat_allreduce, call);
}

Schedule allreduce_reduce_bcast(const Call& call) {
    const Call part = in_place(part_of(call, call.bytes, call.deciding_bytes));
    Schedule schedule = {copy_to_result(call)};
    append(schedule, chosen(flat_reduce, part));
    append(schedule, chosen(flat_bcast, part));
    return schedule;
}

Schedule allreduce_reduce_scatter_block_allgather(const Call& call) {
    const EqualParts parts(call, call.element_bytes);
    const std::size_t input = call.in_place ? 0 : call.bytes;
    const std::size_t far = 2 * call.bytes;
    Schedule schedule;
    if (parts.has_rest) {
        schedule = relocated(
            allreduce_recursive_doubling(part_of(call, parts.rest, 0)), [=](int, std::size_t offset) {
                return parts.blocks + (offset < parts.rest ? offset : input + offset - parts.rest);
            });
    }
    if (parts.block > 0) {
        append(
            schedule,
            relocated(chosen(flat_reduce_scatter, block_of(call, parts)), [=](int rank, std::size_t offset) {
                if (offset < parts.blocks) {
                    return input + offset;
                }
                return offset < parts.blocks + parts.block
                           ? static_cast<std::size_t>(rank) * parts.block + offset - parts.blocks
                           : far + offset;
            }));
        append(schedule, allgather_of_blocks(call, parts, far));
    }
    return schedule;
}

Schedule reduce_scatter_allreduce(const Call& call) {
    const RankBlocks b(call);
    const std::size_t all = b.blocks.offset(b.ranks);
    const std::size_t results = b.blocks.offset(b.ranks + 1);
    Call part = part_of(call, all, deciding_total(call));
    part.in_place = false;
    Schedule schedule = relocated(chosen(flat_allreduce, part), [=](int, std::size_t offset) {
        return offset < all ? results + offset : offset - all;
    });
    schedule.push_back({1,
                        [=](int, Round& round) {
                            for (int rank = 0; rank < b.ranks; ++rank) {
                                const std::size_t own = results + b.blocks.offset(rank);
                                round.copy(rank, {own, b.blocks.bytes}, distance(own, all));
                            }
                        },
                        same_on_each_rank});
    return schedule;
}

std::string bcast_scatter_allgather_parts(const Call& call) {
    const EqualParts parts(call, 1);
    return parts.names(flat_allgather(block_of(call, parts)).name);
}

std::string allgather_gather_bcast_parts(const Call& call) {
    return flat_bcast(part_of(call, call.bytes, deciding_total(call))).name;
}

std::string reduce_allreduce_parts(const Call& call) {
    return flat_allreduce(call).name;
}

std::string allreduce_reduce_bcast_parts(const Call& call) {
    return std::string(flat_reduce(call).name) + "+" + flat_bcast(call).name;
}

std::string allreduce_reduce_scatter_block_allgather_parts(const Call& call) {
    const EqualParts parts(call, call.element_bytes);
    const Call part = block_of(call, parts);
    return parts.names(std::string(flat_reduce_scatter(part).name) + "+" + flat_allgather(part).name);
}

std::string reduce_scatter_allreduce_parts(const Call& call) {
    return flat_allreduce(part_of(call, call.bytes, deciding_total(call))).name;
}

}  // namespace models::schedules

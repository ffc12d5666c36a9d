// SPDX-License-Identifier: MIT
#include "collectives.hpp"

#include <algorithm>
#include <utility>

namespace models {

namespace {

constexpr SelectionGuard built_in_operation = {"is_op_built_in=yes", "is_op_built_in=no"};
constexpr SelectionGuard commuting_operation = {"is_commutative=yes", "is_commutative=no"};
constexpr SelectionGuard separate_buffers = {"is_sendbuf_inplace=no", "is_sendbuf_inplace=yes"};

// In the order in which a plan measures them
std::deque<Collective> make_table() {
    using enum SmallestPlan;
    using enum CountedSize;
    return {
        {.name = "bcast",
         .size = {.meaning = "bytes of the message",
                  .osu_column = "Size (osu_bcast)",
                  .imb_column = "#bytes (Bcast)"},
         .has_root = true,
         .smallest_plan = quick,
         .plans_nonblocking = true,
         .mpich_size = message,
         .in_mpich_file = true,
         .openmpi = {7, message}},
        {.name = "allreduce",
         .size = {.meaning = "bytes of the vector of one rank",
                  .osu_column = "Size (osu_allreduce)",
                  .imb_column = "#bytes (Allreduce)"},
         .combines = true,
         .smallest_plan = quick,
         .plans_nonblocking = true,
         .mpich_size = message,
         .in_mpich_file = true,
         .mpich_guard = built_in_operation,
         .openmpi = {2, message, {"ring", "segmented_ring"}}},
        {.name = "allgather",
         .size = {.meaning = "bytes that one rank contributes",
                  .osu_column = "Size (osu_allgather)",
                  .imb_column = "#bytes (Allgather)"},
         .grows_with_ranks = true,
         .smallest_plan = quick,
         .plans_nonblocking = true,
         .mpich_size = total,
         .in_mpich_file = true,
         .openmpi = {0, total}},
        {.name = "alltoall",
         .size = {.meaning = "bytes from one rank to one other",
                  .osu_column = "Size (osu_alltoall)",
                  .imb_column = "#bytes (Alltoall)"},
         .grows_with_ranks = true,
         .smallest_plan = quick,
         .plans_nonblocking = true,
         .mpich_size = message,
         .in_mpich_file = true,
         .mpich_guard = separate_buffers,
         .openmpi = {3, total}},
        {.name = "reduce",
         .size = {.meaning = "bytes of the vector of one rank",
                  .osu_column = "Size (osu_reduce)",
                  .imb_column = "#bytes (Reduce)"},
         .has_root = true,
         .combines = true,
         .smallest_plan = standard,
         .plans_nonblocking = true,
         .mpich_size = message,
         .in_mpich_file = true,
         .mpich_guard = built_in_operation,
         .openmpi = {11, message, {"chain", "pipeline", "binary", "binomial"}}},
        {.name = "reduce_scatter",
         .size = {.meaning = "bytes that one rank receives, the same for all",
                  .osu_column = "Size (osu_reduce_scatter) divided by the ranks",
                  .imb_column = "#bytes (Reduce_scatter) divided by the ranks"},
         .combines = true,
         .grows_with_ranks = true,
         .smallest_plan = standard,
         .mpich_size = total,
         .in_mpich_file = true,
         .mpich_guard = commuting_operation,
         .openmpi = {12, total, {"recursive_halving", "ring"}}},
        {.name = "reduce_scatter_block",
         .size = {.meaning = "bytes that one rank receives",
                  .osu_column = "Size (osu_reduce_scatter_block) divided by the ranks",
                  .imb_column = "#bytes (Reduce_scatter_block) divided by the ranks"},
         .combines = true,
         .grows_with_ranks = true,
         .smallest_plan = standard,
         .mpich_size = total,
         .in_mpich_file = true,
         .mpich_guard = commuting_operation,
         .openmpi = {13, total}},
        {.name = "allgatherv",
         .size = {.meaning = "bytes that one rank contributes, the same for all",
                  .osu_column = "Size (osu_allgatherv)",
                  .imb_column = "#bytes (Allgatherv)"},
         .grows_with_ranks = true,
         .smallest_plan = standard,
         .same_algorithms_as = "allgather",
         .mpich_size = total,
         .in_mpich_file = true,
         .openmpi = {1, message}},
        {.name = "alltoallv",
         .size = {.meaning = "bytes from one rank to one other, the same for all",
                  .osu_column = "Size (osu_alltoallv)",
                  .imb_column = "#bytes (Alltoallv)"},
         .grows_with_ranks = true,
         .smallest_plan = standard,
         .openmpi = {4, nothing}},
        {.name = "scan",
         .size = {.meaning = "bytes of the vector of one rank", .imb_column = "#bytes (Scan)"},
         .combines = true,
         .smallest_plan = standard,
         .openmpi = {14, nothing}},
        {.name = "barrier",
         .size = {.meaning = "none: a barrier has no message"},
         .has_message = false,
         .smallest_plan = standard,
         .in_mpich_file = true,
         .openmpi = {6, nothing}},
        {.name = "gather",
         .size = {.meaning = "bytes that one rank contributes",
                  .osu_column = "Size (osu_gather)",
                  .imb_column = "#bytes (Gather)"},
         .has_root = true,
         .grows_with_ranks = true,
         .openmpi = {9, by_sender_only}},
        {.name = "scatter",
         .size = {.meaning = "bytes that one rank receives",
                  .osu_column = "Size (osu_scatter)",
                  .imb_column = "#bytes (Scatter)"},
         .has_root = true,
         .grows_with_ranks = true,
         .openmpi = {15, by_sender_only}},
        {.name = "exscan",
         .size = {.meaning = "bytes of the vector of one rank"},
         .combines = true,
         .openmpi = {8, nothing}},
    };
}

std::deque<Collective>& table() {
    static std::deque<Collective> rows = make_table();
    return rows;
}

}  // namespace

const std::deque<Collective>& collectives() {
    return table();
}

const Collective* find_collective(std::string_view name) {
    const auto found =
        std::find_if(table().begin(), table().end(), [&](const Collective& row) { return row.name == name; });
    return found == table().end() ? nullptr : &*found;
}

std::string_view modelled_as(std::string_view name) {
    const Collective* row = find_collective(name);
    return row == nullptr || row->same_algorithms_as.empty() ? name : row->same_algorithms_as;
}

AddedCollective::AddedCollective(Collective row) {
    table().push_back(std::move(row));
}

AddedCollective::~AddedCollective() {
    table().pop_back();
}

}  // namespace models

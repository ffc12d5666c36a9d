// SPDX-License-Identifier: MIT
// The thresholds by which the patched MPICH 4.0.2 selects algorithms: control variable, default value, what
// it is compared with, and which collectives read it. The only place with these numbers: schedules, selection
// and emitters read them here. mpich-patches/README.md has the same table for users; a test compares the two.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace models {

enum class ComparedWith {
    message,  // the message size, as the benchmark defines it
    total,    // the message size times the number of ranks
    ranks     // the number of ranks
};

struct MpichThreshold {
    std::string_view name;  // of the control variable, without MPIR_CVAR_
    int default_value;
    ComparedWith compared_with;
    // The value itself is on the side of the smaller ones. ibcast alone excludes what bcast includes.
    bool is_inclusive;
    std::string_view collectives;  // that read it, comma-separated

    std::string variable() const { return "MPIR_CVAR_" + std::string(name); }
    // The collectives that move with `collective` when the variable is set; empty: no other one
    std::string others_than(std::string_view collective) const;
};

namespace mpich {

using enum ComparedWith;
// clang-format off
inline constexpr MpichThreshold bcast_min_procs = {"BCAST_MIN_PROCS", 8, ranks, false, "bcast, ibcast"};
inline constexpr MpichThreshold bcast_short = {"BCAST_SHORT_MSG_SIZE", 12288, message, true, "bcast, ibcast"};
inline constexpr MpichThreshold bcast_long = {"BCAST_LONG_MSG_SIZE", 524288, message, true, "bcast, ibcast"};
inline constexpr MpichThreshold bcast_smp = {"BCAST_SMP_MAX_MSG_SIZE", 0, message, true, "bcast"};
inline constexpr MpichThreshold reduce_short = {"REDUCE_SHORT_MSG_SIZE", 2048, message, true, "reduce, ireduce"};
inline constexpr MpichThreshold reduce_smp = {"REDUCE_SMP_MAX_MSG_SIZE", 0, message, true, "reduce"};
inline constexpr MpichThreshold allreduce_recursive_doubling = {"ALLREDUCE_RECURSIVE_DOUBLING_MAX_MSG_SIZE", 8, message, true, "allreduce"};
inline constexpr MpichThreshold iallreduce_short = {"ALLREDUCE_SHORT_MSG_SIZE", 2048, message, true, "iallreduce"};
inline constexpr MpichThreshold allreduce_smp = {"ALLREDUCE_SMP_MAX_MSG_SIZE", 0, message, true, "allreduce"};
inline constexpr MpichThreshold allgather_long = {"ALLGATHER_LONG_MSG_SIZE", 524288, total, false, "allgather, allgatherv, iallgather, iallgatherv"};
inline constexpr MpichThreshold allgather_short = {"ALLGATHER_SHORT_MSG_SIZE", 81920, total, false, "allgather, allgatherv, iallgather, iallgatherv"};
inline constexpr MpichThreshold alltoall_min_procs = {"ALLTOALL_MIN_PROCS", 8, ranks, false, "alltoall, ialltoall"};
inline constexpr MpichThreshold alltoall_short = {"ALLTOALL_SHORT_MSG_SIZE", 256, message, true, "alltoall"};
inline constexpr MpichThreshold ialltoall_short = {"IALLTOALL_SHORT_MSG_SIZE", 2048, message, true, "ialltoall"};
inline constexpr MpichThreshold alltoall_medium = {"ALLTOALL_MEDIUM_MSG_SIZE", 32768, message, true, "alltoall, ialltoall"};
inline constexpr MpichThreshold reduce_scatter_long = {"REDUCE_SCATTER_COMMUTATIVE_LONG_MSG_SIZE", 524288, total, false, "reduce_scatter, reduce_scatter_block, ireduce_scatter, ireduce_scatter_block"};
inline constexpr MpichThreshold gather_inter_short = {"GATHER_INTER_SHORT_MSG_SIZE", 2048, total, false, "gather, igather"};
inline constexpr MpichThreshold scatter_inter_short = {"SCATTER_INTER_SHORT_MSG_SIZE", 2048, total, false, "scatter, iscatter"};
// clang-format on

}  // namespace mpich

std::span<const MpichThreshold> mpich_thresholds();  // all of the above

}  // namespace models

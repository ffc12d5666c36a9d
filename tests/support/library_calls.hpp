// SPDX-License-Identifier: MIT
// Layout of the job, and one call of a collective on MPI_COMM_WORLD, as the schedules of models/ describe it:
// for tests that compare what the library sends with them.
#pragma once

#include <mpi.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "schedule.hpp"

// Of this job, as mpiexec was told to spread it: TEST_RANKS_PER_NODE; not set: one node
inline models::RankPlacement layout_of_job(int ranks) {
    const char* told = std::getenv("TEST_RANKS_PER_NODE");
    const int ranks_per_node = told == nullptr ? ranks : std::atoi(told);
    std::vector<int> node_of_rank;
    for (int i = 0; i < ranks; ++i) {
        node_of_rank.push_back(i / ranks_per_node);
    }
    return models::RankPlacement(node_of_rank);
}

// `around` makes the call that it is given
inline void call_library(
    std::string_view collective, const models::Call& call,
    const std::function<void(const std::function<void()>&)>& around = [](const auto& make) { make(); }) {
    const auto bytes = static_cast<int>(call.bytes);
    const auto all = call.bytes * static_cast<std::size_t>(call.ranks());
    std::vector<char> in(all);
    std::vector<char> out(all);
    const std::vector<int> counts(static_cast<std::size_t>(call.ranks()), bytes);
    std::vector<int> offsets;
    for (int i = 0; i < call.ranks(); ++i) {
        offsets.push_back(i * bytes);
    }
    const MPI_Comm world = MPI_COMM_WORLD;
    const std::map<std::string_view, std::function<void()>> calls = {
        {"bcast", [&] { MPI_Bcast(in.data(), bytes, MPI_BYTE, call.root, world); }},
        {"reduce", [&] { MPI_Reduce(in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, call.root, world); }},
        {"allreduce", [&] { MPI_Allreduce(in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, world); }},
        {"scan", [&] { MPI_Scan(in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, world); }},
        {"exscan", [&] { MPI_Exscan(in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, world); }},
        {"allgather", [&] { MPI_Allgather(in.data(), bytes, MPI_BYTE, out.data(), bytes, MPI_BYTE, world); }},
        {"allgatherv",
         [&] {
             MPI_Allgatherv(in.data(), bytes, MPI_BYTE, out.data(), counts.data(), offsets.data(), MPI_BYTE,
                            world);
         }},
        {"alltoall", [&] { MPI_Alltoall(in.data(), bytes, MPI_BYTE, out.data(), bytes, MPI_BYTE, world); }},
        {"gather",
         [&] { MPI_Gather(in.data(), bytes, MPI_BYTE, out.data(), bytes, MPI_BYTE, call.root, world); }},
        {"scatter",
         [&] { MPI_Scatter(in.data(), bytes, MPI_BYTE, out.data(), bytes, MPI_BYTE, call.root, world); }},
        {"reduce_scatter",
         [&] { MPI_Reduce_scatter(in.data(), out.data(), counts.data(), MPI_BYTE, MPI_BOR, world); }},
        {"reduce_scatter_block",
         [&] { MPI_Reduce_scatter_block(in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, world); }},
        {"barrier", [&] { MPI_Barrier(world); }},
    };
    around(calls.at(collective));
}

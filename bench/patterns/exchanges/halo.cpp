// SPDX-License-Identifier: MIT
// Each rank exchanges a message with both of its neighbours in each dimension of a periodic grid, as a
// program does whose grid is divided among the ranks. MPI_Dims_create makes the grid; where a dimension has
// one rank only, there is nobody to exchange with.
#include <map>

#include "pattern_parts.hpp"

namespace bench {

namespace {

enum Parameter { dimensions };
constexpr int tag = 50;  // and one more for each direction

// Made once: the time of an exchange must not contain it
const std::vector<int>& grid_of(int ranks, std::size_t dimension_count) {
    static std::map<std::pair<int, std::size_t>, std::vector<int>> grids;
    std::vector<int>& grid = grids[{ranks, dimension_count}];
    if (grid.empty()) {
        grid.resize(dimension_count);
        MPI_Dims_create(ranks, static_cast<int>(dimension_count), grid.data());
    }
    return grid;
}

// Direction 2 d is down in dimension d, 2 d + 1 is up; the opposite of one is the other
int neighbour(const std::vector<int>& grid, int rank, std::size_t direction) {
    int stride = 1;  // of a step in the dimension: the last one changes fastest
    for (std::size_t d = grid.size(); --d > direction / 2;) {
        stride *= grid[d];
    }
    const int length = grid[direction / 2];
    const int position = rank / stride % length;
    const int step = direction % 2 == 0 ? length - 1 : 1;
    return rank + ((position + step) % length - position) * stride;
}

std::size_t opposite(std::size_t direction) {
    return direction ^ 1;
}

std::size_t directions(const RankCall& call) {
    return 2 * static_cast<std::size_t>(call.parameters[dimensions]);
}

std::size_t all_faces(const RankCall& call) {
    return directions(call) * call.count;
}

Origin result(const RankCall& call, std::size_t position) {
    const std::size_t direction = position / call.count;
    const std::vector<int>& grid = grid_of(call.ranks, directions(call) / 2);
    if (grid[direction / 2] == 1) {
        return undefined_origin;
    }
    const int from = neighbour(grid, call.rank, direction);
    return {from, from, opposite(direction) * call.count + position % call.count};
}

double messages(const RankCall& call) {
    double number = 0;
    for (const int length : grid_of(call.ranks, directions(call) / 2)) {
        number += length > 1 ? 2 * call.ranks : 0;
    }
    return number;
}

// The message that a rank sends in a direction arrives from the opposite one
void call(const Arguments& a) {
    int ranks = 0;
    int bytes = 0;
    MPI_Comm_size(a.comm, &ranks);
    MPI_Type_size(a.datatype, &bytes);
    const std::vector<int>& grid = grid_of(ranks, static_cast<std::size_t>(a.parameters[dimensions]));
    const std::size_t length = static_cast<std::size_t>(a.count) * static_cast<std::size_t>(bytes);
    static std::vector<MPI_Request> requests;
    requests.clear();
    const auto for_all = [&](const auto& post) {
        for (std::size_t direction = 0; direction < 2 * grid.size(); ++direction) {
            if (grid[direction / 2] > 1) {
                post(direction, neighbour(grid, a.rank, direction));
            }
        }
    };
    for_all([&](std::size_t direction, int from) {
        MPI_Irecv(static_cast<char*>(a.receive) + direction * length, a.count, a.datatype, from,
                  tag + static_cast<int>(opposite(direction)), a.comm, &requests.emplace_back());
    });
    for_all([&](std::size_t direction, int to) {
        MPI_Isend(static_cast<const char*>(a.send) + direction * length, a.count, a.datatype, to,
                  tag + static_cast<int>(direction), a.comm, &requests.emplace_back());
    });
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace

extern const Pattern halo;
const Pattern halo = {
    .name = "halo",
    .size = {.meaning = "bytes from one rank to one neighbour",
             .imb_column = "#bytes (Exchange has one dimension)"},
    .contents = {InPlace::no, all_faces, all_faces, parts::no_input, result},
    .call = call,
    .variants = {"isend"},
    .parameters = {{"dimensions", 2, 1, "of the grid of ranks"}},
    .parties = Parties::all,
    .messages = messages,
};

}  // namespace bench

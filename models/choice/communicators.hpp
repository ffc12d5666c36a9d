// SPDX-License-Identifier: MIT
// Communicators that call a collective at the same time: all ranks in one, or the rows or the columns of a
// grid of the ranks, as programs make them. The grid is filled row by row, as by MPI_Cart_create.
#pragma once

#include <string>
#include <vector>

namespace models {

struct Communicators {
    enum class Kind { world, rows, columns };

    Kind kind = Kind::world;
    int count = 1;  // of the rows, or of the columns

    bool are_parts() const { return kind != Kind::world; }
    bool operator==(const Communicators&) const = default;
};

// world, rows:R or columns:C. Throws std::invalid_argument with what is wrong.
Communicators parse_communicators(const std::string& text);
std::string to_string(const Communicators& communicators);

// Why so many ranks cannot be divided so; empty if they can
std::string problem_with(const Communicators& communicators, int ranks);
// Which of them a rank belongs to, from 0 on
int communicator_of(const Communicators& communicators, int rank, int ranks);
// The ranks of one of them, ascending
std::vector<int> ranks_of(const Communicators& communicators, int which, int ranks);

}  // namespace models

// SPDX-License-Identifier: MIT
// The data of the benchmark: element types, operations, and values crafted so that every result is exact and
// known.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "pattern.hpp"

namespace bench {

// Elements and what is done with them in reductions
struct Elements {
    const char* datatype_name;
    const char* operation_name;  // sum: MPI_SUM; user: a commutative sum of our own; ordered: not commutative
    MPI_Datatype datatype;
    MPI_Op operation;
    std::size_t size;

    using OriginOf = std::function<Origin(std::size_t position)>;
    // Writes the element that `origin` names at each position where it is defined
    void (*fill)(void* buffer, std::size_t count, const OriginOf& origin);
    // How many positions do not hold what `origin` names there
    std::size_t (*wrong)(const void* buffer, std::size_t count, const OriginOf& origin);
};

// Throws std::invalid_argument for a pair that does not exist. datatype: byte, int, float, double; operation:
// sum, user, ordered (which has elements of its own, of 4 bytes).
const Elements& find_elements(const std::string& datatype, const std::string& operation);

// Of the same size and operation, but with values whose sums depend on their order, so that no result is
// known; nullptr: there are none
const Elements* rounding_elements(const Elements& elements);

}  // namespace bench

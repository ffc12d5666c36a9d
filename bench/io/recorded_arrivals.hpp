// SPDX-License-Identifier: MIT
// Reads how the ranks of a recorded program arrived at its calls, as `changeover trace --arrivals` writes it
// (bench/README.md has the format), and finds the calls that a measured one stands for.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>

#include "group.hpp"

namespace bench {

struct CallClass {
    std::string collective;
    std::size_t bytes;
    int ranks;
};

// The recorded calls of this collective by as many ranks, of the size class that is nearest. `name`: of the
// file, for errors. Throws std::invalid_argument.
RecordedCalls nearest_calls(const std::string& text, const std::string& name, const CallClass& wanted);

// Collective. Rank 0 reads the file.
RecordedCalls recorded_calls(const std::string& file, const CallClass& wanted, MPI_Comm comm);

// The median of the largest delays
double usual_width(const RecordedCalls& calls);

}  // namespace bench

// SPDX-License-Identifier: MIT
// The bits of a reduction: those of sums that depend on the order in which an algorithm takes the ranks.
#pragma once

#include <memory>

#include "call_data.hpp"
#include "reproducible.hpp"

namespace bench {

// Does an algorithm decide about the bits of this pattern's results? Not if it has no operation, or one of
// which the elements have no floating-point numbers of their size.
bool has_bits(const GroupSpec& group);

// Collective over `all`; calls are made on `comm`, as the library was told to make them. On all ranks the
// same.
models::ResultBits bits_of_results(const GroupSpec& group, const std::string& algorithm, MPI_Comm comm,
                                   MPI_Comm all, const Clock& clock,
                                   const std::shared_ptr<const CallBuffers>& buffers);

}  // namespace bench

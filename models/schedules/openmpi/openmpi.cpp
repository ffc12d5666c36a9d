// SPDX-License-Identifier: MIT
#include "openmpi.hpp"

#include "schedules.hpp"

namespace models::schedules {

std::span<const Algorithm> openmpi_algorithms() {
    static const std::vector<Algorithm> rows = [] {
        std::vector<Algorithm> all;
        for (const auto part : {openmpi::bcast_rows(), openmpi::reduce_rows(), openmpi::allgather_rows(),
                                openmpi::gather_rows(), openmpi::barrier_rows()}) {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }();
    return rows;
}

}  // namespace models::schedules

// SPDX-License-Identifier: MIT
#include "mpich_thresholds.hpp"

#include <algorithm>
#include <array>

namespace models {

std::string MpichThreshold::others_than(std::string_view collective) const {
    constexpr std::string_view separator = ", ";
    std::string others;
    std::string_view rest = collectives;
    while (!rest.empty()) {
        const std::string_view reader = rest.substr(0, rest.find(separator));
        if (reader != collective) {
            others += (others.empty() ? "" : std::string(separator)) + std::string(reader);
        }
        rest.remove_prefix(std::min(rest.size(), reader.size() + separator.size()));
    }
    return others;
}

std::span<const MpichThreshold> mpich_thresholds() {
    using namespace mpich;
    static constexpr std::array all = {bcast_min_procs,
                                       bcast_short,
                                       bcast_long,
                                       bcast_smp,
                                       reduce_short,
                                       reduce_smp,
                                       allreduce_recursive_doubling,
                                       iallreduce_short,
                                       allreduce_smp,
                                       allgather_long,
                                       allgather_short,
                                       alltoall_min_procs,
                                       alltoall_short,
                                       ialltoall_short,
                                       alltoall_medium,
                                       reduce_scatter_long,
                                       gather_inter_short,
                                       scatter_inter_short};
    return all;
}

}  // namespace models

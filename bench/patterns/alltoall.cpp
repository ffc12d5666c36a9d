// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

namespace {

Origin result(const Place& place, std::size_t position) {
    const int from = static_cast<int>(position / place.count);
    return {from, from, static_cast<std::size_t>(place.rank) * place.count + position % place.count};
}

}  // namespace

extern const Pattern alltoall;
const Pattern alltoall = {
    .name = "alltoall",
    .size_meaning = "bytes from one rank to one other",
    .osu_column = "Size (osu_alltoall)",
    .imb_column = "#bytes (Alltoall)",
    .has_message = true,
    .has_root = false,
    .combines = false,
    .in_place = InPlace::everywhere,
    .send_count = parts::all_blocks,
    .receive_count = parts::all_blocks,
    .in_place_input = parts::own_element,
    .result = result,
    .call =
        [](const Arguments& a) {
            MPI_Alltoall(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm);
        },
};

}  // namespace bench

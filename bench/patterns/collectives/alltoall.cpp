// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

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
    .result = parts::transposed,
    .call =
        [](const Arguments& a) {
            MPI_Alltoall(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm);
        },
};

}  // namespace bench

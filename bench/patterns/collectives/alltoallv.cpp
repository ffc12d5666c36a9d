// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

extern const Pattern alltoallv;
const Pattern alltoallv = {
    .name = "alltoallv",
    .size_meaning = "bytes from one rank to one other, the same for all",
    .osu_column = "Size (osu_alltoallv)",
    .imb_column = "#bytes (Alltoallv)",
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
            MPI_Alltoallv(a.send, a.counts, a.displacements, a.datatype, a.receive, a.counts, a.displacements,
                          a.datatype, a.comm);
        },
};

}  // namespace bench

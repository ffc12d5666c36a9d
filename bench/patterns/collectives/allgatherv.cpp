// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

extern const Pattern allgatherv;
const Pattern allgatherv = {
    .name = "allgatherv",
    .size_meaning = "bytes that one rank contributes, the same for all",
    .osu_column = "Size (osu_allgatherv)",
    .imb_column = "#bytes (Allgatherv)",
    .has_message = true,
    .has_root = false,
    .combines = false,
    .in_place = InPlace::everywhere,
    .send_count = parts::one_block,
    .receive_count = parts::all_blocks,
    .in_place_input = parts::own_block_of_all,
    .result = parts::gathered,
    .call =
        [](const Arguments& a) {
            MPI_Allgatherv(a.send, a.count, a.datatype, a.receive, a.counts, a.displacements, a.datatype,
                           a.comm);
        },
};

}  // namespace bench

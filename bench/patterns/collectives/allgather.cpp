// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

extern const Pattern allgather;
const Pattern allgather = {
    .name = "allgather",
    .size_meaning = "bytes that one rank contributes",
    .osu_column = "Size (osu_allgather)",
    .imb_column = "#bytes (Allgather)",
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
            MPI_Allgather(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.comm);
        },
};

}  // namespace bench

// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

extern const Pattern gather;
const Pattern gather = {
    .name = "gather",
    .size_meaning = "bytes that one rank contributes",
    .osu_column = "Size (osu_gather)",
    .imb_column = "#bytes (Gather)",
    .has_message = true,
    .has_root = true,
    .combines = false,
    .in_place = InPlace::at_root,
    .send_count = parts::one_block,
    .receive_count = parts::all_blocks_at_root,
    .in_place_input = parts::own_block_of_all,
    .result = parts::gathered,
    .call =
        [](const Arguments& a) {
            MPI_Gather(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.root, a.comm);
        },
};

}  // namespace bench

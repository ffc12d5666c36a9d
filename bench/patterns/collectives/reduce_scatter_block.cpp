// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

extern const Pattern reduce_scatter_block;
const Pattern reduce_scatter_block = {
    .name = "reduce_scatter_block",
    .size_meaning = "bytes that one rank receives",
    .osu_column = "Size (osu_reduce_scatter_block) divided by the ranks",
    .imb_column = "#bytes (Reduce_scatter_block) divided by the ranks",
    .has_message = true,
    .has_root = false,
    .combines = true,
    .in_place = InPlace::everywhere,
    .send_count = parts::all_blocks,
    .receive_count = parts::all_blocks,  // in place it holds the whole vector before the call
    .in_place_input = parts::own_element,
    .result = parts::own_block_combined,
    .call =
        [](const Arguments& a) {
            MPI_Reduce_scatter_block(a.send, a.receive, a.count, a.datatype, a.operation, a.comm);
        },
};

}  // namespace bench

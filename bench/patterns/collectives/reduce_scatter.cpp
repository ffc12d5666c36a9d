// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

extern const Pattern reduce_scatter;
const Pattern reduce_scatter = {
    .name = "reduce_scatter",
    .size_meaning = "bytes that one rank receives, the same for all",
    .osu_column = "Size (osu_reduce_scatter) divided by the ranks",
    .imb_column = "#bytes (Reduce_scatter) divided by the ranks",
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
            MPI_Reduce_scatter(a.send, a.receive, a.counts, a.datatype, a.operation, a.comm);
        },
};

}  // namespace bench

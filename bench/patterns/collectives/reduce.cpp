// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

extern const Pattern reduce;
const Pattern reduce = {
    .name = "reduce",
    .size_meaning = "bytes of the vector of one rank",
    .osu_column = "Size (osu_reduce)",
    .imb_column = "#bytes (Reduce)",
    .has_message = true,
    .has_root = true,
    .combines = true,
    .in_place = InPlace::at_root,
    .send_count = parts::one_block,
    .receive_count = parts::one_block_at_root,
    .in_place_input = parts::own_element,
    .result = parts::combined_over_all,
    .call =
        [](const Arguments& a) {
            MPI_Reduce(a.send, a.receive, a.count, a.datatype, a.operation, a.root, a.comm);
        },
};

}  // namespace bench

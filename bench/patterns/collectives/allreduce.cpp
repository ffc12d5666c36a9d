// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

extern const Pattern allreduce;
const Pattern allreduce = {
    .name = "allreduce",
    .size_meaning = "bytes of the vector of one rank",
    .osu_column = "Size (osu_allreduce)",
    .imb_column = "#bytes (Allreduce)",
    .has_message = true,
    .has_root = false,
    .combines = true,
    .in_place = InPlace::everywhere,
    .send_count = parts::one_block,
    .receive_count = parts::one_block,
    .in_place_input = parts::own_element,
    .result = parts::combined_over_all,
    .call =
        [](const Arguments& a) {
            MPI_Allreduce(a.send, a.receive, a.count, a.datatype, a.operation, a.comm);
        },
};

}  // namespace bench

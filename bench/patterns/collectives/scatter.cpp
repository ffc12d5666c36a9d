// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

namespace {

Origin result(const Place& place, std::size_t position) {
    return {place.root, place.root, static_cast<std::size_t>(place.rank) * place.count + position};
}

}  // namespace

extern const Pattern scatter;
const Pattern scatter = {
    .name = "scatter",
    .size_meaning = "bytes that one rank receives",
    .osu_column = "Size (osu_scatter)",
    .imb_column = "#bytes (Scatter)",
    .has_message = true,
    .has_root = true,
    .combines = false,
    .in_place = InPlace::no,
    .send_count = parts::all_blocks_at_root,
    .receive_count = parts::one_block,
    .in_place_input = parts::no_input,
    .result = result,
    .call =
        [](const Arguments& a) {
            MPI_Scatter(a.send, a.count, a.datatype, a.receive, a.count, a.datatype, a.root, a.comm);
        },
};

}  // namespace bench

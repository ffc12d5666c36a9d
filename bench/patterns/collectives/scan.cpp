// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

namespace {

Origin result(const Place& place, std::size_t position) {
    return {0, place.rank, position};
}

}  // namespace

extern const Pattern scan;
const Pattern scan = {
    .name = "scan",
    .size_meaning = "bytes of the vector of one rank",
    .osu_column = "none",
    .imb_column = "#bytes (Scan)",
    .has_message = true,
    .has_root = false,
    .combines = true,
    .in_place = InPlace::everywhere,
    .send_count = parts::one_block,
    .receive_count = parts::one_block,
    .in_place_input = parts::own_element,
    .result = result,
    .call = [](const Arguments& a) { MPI_Scan(a.send, a.receive, a.count, a.datatype, a.operation, a.comm); },
};

}  // namespace bench

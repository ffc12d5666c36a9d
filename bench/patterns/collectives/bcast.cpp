// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

namespace {

Origin result(const Place& place, std::size_t position) {
    return {place.root, place.root, position};
}

}  // namespace

extern const Pattern bcast;
const Pattern bcast = {
    .name = "bcast",
    .size_meaning = "bytes of the message",
    .osu_column = "Size (osu_bcast)",
    .imb_column = "#bytes (Bcast)",
    .has_message = true,
    .has_root = true,
    .combines = false,
    .in_place = InPlace::one_buffer,
    .send_count = parts::none,
    .receive_count = parts::one_block,
    .in_place_input = parts::own_element,
    .result = result,
    .call = [](const Arguments& a) { MPI_Bcast(a.receive, a.count, a.datatype, a.root, a.comm); },
};

}  // namespace bench

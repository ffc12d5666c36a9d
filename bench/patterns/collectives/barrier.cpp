// SPDX-License-Identifier: MIT
#include "pattern.hpp"

namespace bench {

extern const Pattern barrier;
const Pattern barrier = {
    .name = "barrier",
    .size_meaning = "none: a barrier has no message",
    .osu_column = "none",
    .imb_column = "none",
    .has_message = false,
    .has_root = false,
    .combines = false,
    .in_place = InPlace::no,
    .send_count = parts::none,
    .receive_count = parts::none,
    .in_place_input = parts::no_input,
    .result = parts::own_element,
    .call = [](const Arguments& a) { MPI_Barrier(a.comm); },
};

}  // namespace bench

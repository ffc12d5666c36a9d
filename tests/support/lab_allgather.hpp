// SPDX-License-Identifier: MIT
// For tests: allgather as measured in a lab of 6 nodes with 3 ranks each at 50 Mbit/s. Ring is 2.5 to 3 times
// as fast as the default (Bruck's algorithm) from 432 to 4478 bytes; the default itself is ring from 4552 on.
#pragma once

#include "cells.hpp"

namespace lab_allgather {

inline const tuner::CellKey key = {"eth", {6, 3, tuner::Mapping::block}, "allgather", ""};
constexpr std::size_t first_gain = 432;
constexpr std::size_t last_gain = 4478;
constexpr std::size_t default_turns = 4552;  // 18 ranks * 4552 bytes >= 81920

inline tuner::CellTime time(std::size_t bytes, double seconds, const std::string& used) {
    tuner::CellTime result;
    result.time = {bytes, seconds, {0.99 * seconds, 1.01 * seconds}};
    result.used = used;
    return result;
}

// Of a size at which the default takes 1 s and is Bruck's algorithm
inline tuner::Times times(std::size_t bytes, double gain_of_ring) {
    return {{"default", time(bytes, 1, "brucks")}, {"ring", time(bytes, 1 / gain_of_ring, "ring")}};
}

inline tuner::Cell cell() {
    tuner::Cell cell;
    cell.times = {{16, times(16, 0.3)},
                  {144, times(144, 0.7)},
                  {first_gain, times(first_gain, 2.45)},
                  {1392, times(1392, 2.8)},
                  {last_gain, times(last_gain, 3.06)}};
    // the search does not measure ring by its name where the default is ring
    cell.times[8192] = {{"default", time(8192, 1, "ring")}, {"brucks", time(8192, 3, "brucks")}};
    return cell;
}

}  // namespace lab_allgather

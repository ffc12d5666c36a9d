// SPDX-License-Identifier: MIT
#include "overlap.hpp"

#include <algorithm>

namespace bench {

int tests_for(std::size_t bytes, std::size_t interval) {
    return interval == 0 ? 0 : static_cast<int>((bytes + interval - 1) / interval) + 1;
}

double overlap_of(double blocking_seconds, double overhead_seconds) {
    return std::clamp(1 - overhead_seconds / blocking_seconds, 0.0, 1.0);
}

}  // namespace bench

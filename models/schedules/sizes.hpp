// SPDX-License-Identifier: MIT
// Message sizes: `64`, `4Ki`, `1Mi`, lists with commas, and ranges `8:1Mi:x2` (times two) or `8:64:+8` (plus
// eight).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

std::size_t parse_size(const std::string& text);                // throws std::invalid_argument
std::string size_text(std::size_t bytes);                       // parse_size's opposite: 4Ki, 5000
std::vector<std::size_t> parse_sizes(const std::string& text);  // sorted, each once

// SKaMPI's refinement (Reussner et al. 1998, 3.3): the next size to measure is in the middle of the gap where
// the line between its neighbours predicts the measured point worst. 0 if no gap deserves it: all are
// predicted within `tolerance` (relative), or too narrow.
struct Point {
    std::size_t size;
    double time;
};
std::size_t next_refinement(const std::vector<Point>& by_size, std::size_t granularity, double tolerance);

}  // namespace bench

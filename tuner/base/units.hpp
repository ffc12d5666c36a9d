// SPDX-License-Identifier: MIT
// Sizes, times and shares as people write and read them: 512, 4Ki, 1Mi; 500us, 10m, 1h30m; 1%.
#pragma once

#include <cstddef>
#include <string>

namespace tuner {

// All throw an Error (wrong use) that says what would be right.
std::size_t parse_bytes(const std::string& text);
double parse_seconds(const std::string& text);  // above zero
double parse_share(const std::string& text);    // 1% or 0.01; from 0 to 1

std::string bytes_text(std::size_t bytes);   // exact: 4Ki, or 5000
std::string memory_text(std::size_t bytes);  // rounded: 640 bytes, 1.5 KiB, 16.0 MiB
// Three digits: 250 us, 1.5 ms, 42 s; from 100 s on 1m40s, 1h30m
std::string seconds_text(double seconds);

}  // namespace tuner

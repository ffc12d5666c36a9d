// SPDX-License-Identifier: MIT
// The message sizes of a planned collective or exchange: the keys `min_bytes` and `max_bytes`.
#pragma once

#include <cstddef>

#include "checked_json.hpp"

namespace tuner {

inline constexpr std::size_t Ki = 1024;
inline constexpr std::size_t Mi = Ki * Ki;

struct SizeLimits {
    std::size_t element_bytes;  // sizes are multiples of it
    std::size_t largest_bytes;
};

// Keeps what the object does not say, but for a max_bytes that would be below min_bytes
void read_sizes(const CheckedJson& object, const SizeLimits& limits, std::size_t& min_bytes,
                std::size_t& max_bytes);

// parse(text), whose Error is told with the place in the file
template <class Parse>
auto parsed(const CheckedJson& json, Parse parse) -> decltype(parse("")) {
    try {
        return parse(json.text());
    } catch (const std::exception& error) {
        json.fail(error.what());
    }
}

}  // namespace tuner

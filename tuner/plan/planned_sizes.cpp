// SPDX-License-Identifier: MIT
#include "planned_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "units.hpp"

namespace tuner {

namespace {

std::size_t bytes_from(const CheckedJson& json, const SizeLimits& limits) {
    const std::size_t bytes = json.json().is_string() ? parsed(json, parse_bytes)
                                                      : static_cast<std::size_t>(json.integer(1, INT64_MAX));
    if (bytes == 0 || bytes > limits.largest_bytes) {
        json.fail(fmt::format("expected 1 to {} bytes, got {}", bytes_text(limits.largest_bytes), bytes));
    }
    if (bytes % limits.element_bytes != 0) {
        json.fail(fmt::format("{} bytes are not a multiple of the datatype's {} bytes; write {}", bytes,
                              limits.element_bytes,
                              std::max<std::size_t>(bytes / limits.element_bytes, 1) * limits.element_bytes));
    }
    return bytes;
}

}  // namespace

void read_sizes(const CheckedJson& object, const SizeLimits& limits, std::size_t& min_bytes,
                std::size_t& max_bytes) {
    if (object.has("min_bytes")) {
        min_bytes = bytes_from(object.at("min_bytes"), limits);
        max_bytes = std::max(min_bytes, max_bytes);
    }
    if (object.has("max_bytes")) {
        max_bytes = bytes_from(object.at("max_bytes"), limits);
    }
    if (min_bytes > max_bytes) {
        object.fail(
            fmt::format("min_bytes {} is greater than max_bytes {}; swap them", min_bytes, max_bytes));
    }
}

}  // namespace tuner

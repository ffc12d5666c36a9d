// SPDX-License-Identifier: MIT
// CRC-32C (Castagnoli): finds every damage of up to 32 bits in a row, and all but one in four billion others.
#pragma once

#include <cstdint>
#include <string_view>

namespace tuner {

std::uint32_t crc32c(std::string_view text);

}  // namespace tuner

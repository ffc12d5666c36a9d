// SPDX-License-Identifier: MIT
// Eight bytes at a time (slicing-by-8: Kounavis and Berry 2008), without instructions that not every
// processor has: the journal of a run is read in whole at every start.
#include "checksum.hpp"

#include <array>
#include <cstddef>

namespace tuner {

namespace {

constexpr std::uint32_t polynomial = 0x82f63b78;  // reflected
constexpr std::size_t slices = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, slices>;

constexpr Tables made_tables() {
    Tables tables = {};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1) ? polynomial : 0);
        }
        tables[0][byte] = crc;
    }
    for (std::size_t slice = 1; slice < slices; ++slice) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[slice - 1][byte];
            tables[slice][byte] = (before >> 8) ^ tables[0][before & 0xff];
        }
    }
    return tables;
}

constexpr Tables tables = made_tables();

std::uint32_t byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

}  // namespace

std::uint32_t crc32c(std::string_view text) {
    std::uint32_t crc = ~std::uint32_t{0};
    for (; text.size() >= slices; text.remove_prefix(slices)) {
        crc ^= byte_at(text, 0) | byte_at(text, 1) << 8 | byte_at(text, 2) << 16 | byte_at(text, 3) << 24;
        crc = tables[7][crc & 0xff] ^ tables[6][(crc >> 8) & 0xff] ^ tables[5][(crc >> 16) & 0xff] ^
              tables[4][crc >> 24] ^ tables[3][byte_at(text, 4)] ^ tables[2][byte_at(text, 5)] ^
              tables[1][byte_at(text, 6)] ^ tables[0][byte_at(text, 7)];
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        crc = (crc >> 8) ^ tables[0][(crc ^ byte_at(text, i)) & 0xff];
    }
    return ~crc;
}

}  // namespace tuner

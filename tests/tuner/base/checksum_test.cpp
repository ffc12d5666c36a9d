// SPDX-License-Identifier: MIT
#include "checksum.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tuner;

// RFC 3720, B.4, and the check value of the catalogue of CRCs
TEST(Crc32c, IsThatOfTheStandard) {
    EXPECT_EQ(crc32c(""), 0u);
    EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
    EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
    std::string ascending;
    for (char c = 0; c < 32; ++c) {
        ascending += c;
    }
    EXPECT_EQ(crc32c(ascending), 0x46dd794eu);
}

TEST(Crc32c, SeesEverySingleBit) {
    const std::string text = "a line of a journal, not a multiple of eight";
    for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
        std::string damaged = text;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        EXPECT_NE(crc32c(damaged), crc32c(text)) << bit;
    }
}

}  // namespace

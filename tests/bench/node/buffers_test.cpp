// SPDX-License-Identifier: MIT
#include "buffers.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace {

using namespace bench;

TEST(Buffer, IsZeroedAndBeginsAtAPage) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{100001}}) {
        const Buffer buffer(bytes);
        EXPECT_EQ(buffer.size(), bytes);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) %
                      static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)),
                  0U);
        const auto* content = static_cast<const char*>(buffer.data());
        EXPECT_TRUE(std::all_of(content, content + bytes, [](char c) { return c == 0; }));
    }
}

TEST(Buffer, OfNoBytesCanBePassedToMpi) {
    EXPECT_NE(Buffer(0).data(), nullptr);
    EXPECT_EQ(Buffer(0).size(), 0U);
}

TEST(CacheFlush, TakesMoreThanACache) {
    EXPECT_GE(CacheFlush::bytes(), std::size_t{64} << 10);
    CacheFlush flush;
    flush();
}

}  // namespace

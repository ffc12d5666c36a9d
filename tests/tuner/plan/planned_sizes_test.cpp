// SPDX-License-Identifier: MIT
#include "planned_sizes.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

std::pair<std::size_t, std::size_t> sizes_in(const std::string& text) {
    std::size_t min_bytes = 8;
    std::size_t max_bytes = 1024;
    read_sizes(CheckedJson::parse(text, "mine.json"), {4, 2 * Ki * Mi}, min_bytes, max_bytes);
    return {min_bytes, max_bytes};
}

std::string sizes_error(const std::string& text) {
    try {
        sizes_in(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

using Sizes = std::pair<std::size_t, std::size_t>;

TEST(PlannedSizes, WhatIsNotSaidStays) {
    EXPECT_EQ(sizes_in("{}"), Sizes(8, 1024));
    EXPECT_EQ(sizes_in(R"({"min_bytes": 64})"), Sizes(64, 1024));
    EXPECT_EQ(sizes_in(R"({"max_bytes": "1Mi"})"), Sizes(8, Mi));
    EXPECT_EQ(sizes_in(R"({"min_bytes": "4Ki"})"), Sizes(4 * Ki, 4 * Ki)) << "one size";
    EXPECT_EQ(sizes_in(R"({"max_bytes": 2147483648})"), Sizes(8, 2 * Ki * Mi));
}

TEST(PlannedSizes, MistakesNameWhatIsExpected) {
    EXPECT_CONTAINS(sizes_error(R"({"max_bytes": "3Gi"})"),
                    "mine.json, max_bytes: expected 1 to 2Gi bytes, got 3221225472");
    EXPECT_CONTAINS(sizes_error(R"({"max_bytes": "0"})"), "expected 1 to 2Gi bytes, got 0");
    EXPECT_CONTAINS(sizes_error(R"({"max_bytes": "lots"})"), "max_bytes: 'lots' is not a message size");
    EXPECT_CONTAINS(sizes_error(R"({"min_bytes": "2Ki", "max_bytes": "1Ki"})"),
                    "min_bytes 2048 is greater than max_bytes 1024");
    EXPECT_CONTAINS(sizes_error(R"({"max_bytes": 1001})"), "write 1000");
    EXPECT_CONTAINS(sizes_error(R"({"min_bytes": 2})"), "write 4");
}

}  // namespace

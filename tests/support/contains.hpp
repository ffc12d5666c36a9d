// SPDX-License-Identifier: MIT
// For tests: a text and what must be in it.
#pragma once

#include <string>

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

#define EXPECT_CONTAINS(text, part) \
    EXPECT_PRED_FORMAT2(testing::IsSubstring, std::string(part), std::string(text))

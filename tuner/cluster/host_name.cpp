// SPDX-License-Identifier: MIT
#include "host_name.hpp"

#include <algorithm>

namespace tuner {

namespace {

// of RFC 1035, 2.3.4
constexpr std::size_t longest_label = 63;
constexpr std::size_t longest_name = 253;

// Not std::isalnum, which depends on the locale
constexpr std::string_view label_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

bool is_label(std::string_view text) {
    return !text.empty() && text.size() <= longest_label && text.front() != '-' && text.back() != '-' &&
           text.find_first_not_of(label_characters) == std::string_view::npos;
}

}  // namespace

bool has_only_host_characters(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return c == '.' || label_characters.find(c) != std::string_view::npos; });
}

bool is_host_name(std::string_view text) {
    if (text.size() > longest_name) {
        return false;
    }
    std::size_t start = 0;
    std::size_t dot = 0;
    do {
        dot = text.find('.', start);
        if (!is_label(text.substr(start, dot - start))) {
            return false;
        }
        start = dot + 1;
    } while (dot != std::string_view::npos);
    return true;
}

}  // namespace tuner

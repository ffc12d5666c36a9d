// SPDX-License-Identifier: MIT
// What the program prints. Data goes to standard output, where a lost byte is an error; notes, progress and
// errors go to standard error, where nothing may stop a measurement: neither a full disk nor a reader that
// has gone away.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace tuner {

// First thing in `main`. A descriptor from 0 to 2 that is closed would be given to the next file that is
// opened (the journal, say), and what is printed would be written there. Writing to a reserved one fails.
void reserve_standard_streams();

// To standard output, at once. Throws an Error when not all of it can be written.
void write_data(std::string_view text);
// To standard error. What cannot be written is lost.
void write_note(std::string_view text) noexcept;

template <class... Arguments>
void print_data(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    write_data(fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <class... Arguments>
void print_note(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    write_note(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace tuner

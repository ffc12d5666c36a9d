// SPDX-License-Identifier: MIT
#include "command.hpp"

namespace tuner {

namespace {

constexpr const char* plain_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@%";

std::string shell_word(const std::string& word) {
    if (!word.empty() && word.find_first_not_of(plain_characters) == std::string::npos) {
        return word;
    }
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return text + "'";
}

}  // namespace

std::string to_shell(const Command& command) {
    std::string text;
    for (const auto& [name, value] : command.environment) {
        text += name + "=" + shell_word(value) + " ";
    }
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
        text += (i ? " " : "") + shell_word(command.arguments[i]);
    }
    return text;
}

}  // namespace tuner

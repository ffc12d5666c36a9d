// SPDX-License-Identifier: MIT
#include "command.hpp"

#include <algorithm>

namespace tuner {

namespace {

constexpr const char* plain_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@%";
constexpr const char* identifier_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

bool is_identifier(const std::string& name) {
    return !name.empty() && name.find_first_not_of(identifier_characters) == std::string::npos &&
           (name[0] < '0' || name[0] > '9');
}

std::string in_quotes(const std::string& word) {
    std::string text = "'";
    for (const char c : word) {
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return text + "'";
}

// A shell takes only identifiers in NAME=value; env takes any name.
std::string assignments(const Environment& environment) {
    const bool need_env = !std::all_of(environment.begin(), environment.end(),
                                       [](const auto& variable) { return is_identifier(variable.first); });
    std::string text = need_env ? "env " : "";
    for (const auto& [name, value] : environment) {
        text += (need_env ? shell_quoted(name + "=" + value) : name + "=" + shell_quoted(value)) + " ";
    }
    return text;
}

}  // namespace

std::string shell_quoted(const std::string& word) {
    const bool is_plain = !word.empty() && word.find_first_not_of(plain_characters) == std::string::npos;
    return is_plain ? word : in_quotes(word);
}

std::string to_shell(const Command& command) {
    std::string text = assignments(command.environment);
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
        const std::string& word = command.arguments[i];
        const bool is_like_assignment = i == 0 && word.find('=') != std::string::npos;
        text += (i ? " " : "") + (is_like_assignment ? in_quotes(word) : shell_quoted(word));
    }
    return text;
}

}  // namespace tuner

// SPDX-License-Identifier: MIT
// A program to start: its argument vector and what is added to the environment. Also as a line that a shell
// would understand, for people to read and to copy.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tuner {

using Environment = std::vector<std::pair<std::string, std::string>>;  // name, value

struct Command {
    std::vector<std::string> arguments;
    Environment environment;
};

// One word of a line for a shell: as it is, or in single quotes
std::string shell_quoted(const std::string& word);

std::string to_shell(const Command& command);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// Command lines for people to copy: complete, with words that a shell takes as they are.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace tuner {

// A command of this program; with its path if a shell would not find it by its name
std::string changeover_command(std::vector<std::string> words);
std::string run_command(const std::string& command,
                        const std::string& folder);  // changeover COMMAND --run DIR
// Whole, so that the command works in any folder
std::string absolute_path(const std::string& path);

std::string export_command(const Environment& environment);  // for the shells of jobs (POSIX)

// As `--layout` understands it: 4x2, 4x2:round-robin
struct Layout;
std::string layout_option(const Layout& layout);

}  // namespace tuner

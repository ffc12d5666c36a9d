// SPDX-License-Identifier: MIT
// What people read at the end of a tuning, and the command `summary` that prints it again.
#pragma once

#include <string>

namespace tuner::commands {

void print_summary(const std::string& folder);

}  // namespace tuner::commands

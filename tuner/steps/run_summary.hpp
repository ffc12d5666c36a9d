// SPDX-License-Identifier: MIT
// What people read at the end of a tuning.
#pragma once

#include <string>

namespace tuner::commands {

void print_summary(const std::string& folder);

}  // namespace tuner::commands

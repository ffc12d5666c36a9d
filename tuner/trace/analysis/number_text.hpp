// SPDX-License-Identifier: MIT
// Numbers of a trace as people read them.
#pragma once

#include <cstddef>
#include <string>

namespace tuner::trace {

std::string time_text(double seconds);                     // 0 and below, too
std::string percent_text(double share);                    // 0.5 is 50%
std::string counted(std::size_t count, const char* what);  // 1 call, 2,000 calls

}  // namespace tuner::trace

// SPDX-License-Identifier: MIT
// The command `changeover trace`.
#pragma once

#include <string>
#include <vector>

namespace tuner::trace {

struct TraceOptions {
    std::string prefix;
    std::string format = "text";
};

void print_trace(const TraceOptions& options);

}  // namespace tuner::trace

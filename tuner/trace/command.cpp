// SPDX-License-Identifier: MIT
#include "command.hpp"

#include <fmt/core.h>

#include "trace.hpp"

namespace tuner::trace {

void print_trace(const TraceOptions& options) {
    const LoadedTrace loaded(options.prefix);
    fmt::print("{}", options.format == "json"
                         ? to_json(loaded).dump(1, ' ', false, Json::error_handler_t::replace) + "\n"
                         : to_text(loaded));
}

}  // namespace tuner::trace

// SPDX-License-Identifier: MIT
#include "trace.hpp"

namespace tuner::trace {

LoadedTrace::LoadedTrace(const std::string& prefix)
    : trace(read_trace(prefix)), matched(match(trace)), analysis(analyse(matched)) {}

}  // namespace tuner::trace

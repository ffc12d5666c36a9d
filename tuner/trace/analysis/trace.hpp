// SPDX-License-Identifier: MIT
// What the event collectors of the patched MPICH recorded: read, matched and analysed.
#pragma once

#include <string>

#include "analysis.hpp"

namespace tuner::trace {

// Its parts refer to each other.
struct LoadedTrace {
    Trace trace;
    Matched matched;
    Analysis analysis;

    explicit LoadedTrace(const std::string& prefix);
    LoadedTrace(const LoadedTrace&) = delete;
    LoadedTrace& operator=(const LoadedTrace&) = delete;
};

}  // namespace tuner::trace

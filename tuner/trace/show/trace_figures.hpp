// SPDX-License-Identifier: MIT
// Pictures of a trace, drawn with the parts of the report.
#pragma once

#include "figures.hpp"
#include "trace.hpp"
#include "trace_comparison.hpp"

namespace tuner::trace {

// When ranks are done with each stage (mean of the calls, waits for late ranks excluded): a line for each
// class of ranks; of several ways, one line each, for the class that takes longest, as high as each other
report::Figure draw_timemap(const Kind& kind);
report::Figure draw_timemap(const SameCall& call);

// One call: ranks against time, an arrow for each message; the critical path is marked
report::Figure draw_messages(const LoadedTrace& loaded, const Kind& kind);

// How long ranks wait for the last arrival, and how long after the first they depart
report::Figure draw_waits(const Kind& kind);

}  // namespace tuner::trace

// SPDX-License-Identifier: MIT
// A trace for the viewers that people know (Perfetto, chrome://tracing): Chrome's trace-event format, JSON.
// A node is a process; a rank has a track for its calls and as many for messages as overlap; arrows are
// messages.
#pragma once

#include <ostream>

#include "match.hpp"

namespace tuner::trace {

// How many events were written
std::size_t write_chrome(const Matched& matched, std::ostream& out);

}  // namespace tuner::trace

// SPDX-License-Identifier: MIT
// Persistent collectives (MPI 4): the request is made once, by the first call of its kind, and then started
// again and again.
#pragma once

#include <string_view>

#include "mock_ups.hpp"

namespace bench {

std::string_view why_no_persistent_calls();  // with this library; empty: it has them
void call_persistent(const MockUpCall& call);

}  // namespace bench

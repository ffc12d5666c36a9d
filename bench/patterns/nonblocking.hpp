// SPDX-License-Identifier: MIT
// The nonblocking version of a collective: it is started and then waited for; with the parameter compute_us
// the ranks compute meanwhile, and the time is what the processor spends on the collective (overlap.hpp).
#pragma once

#include "pattern.hpp"

namespace bench {

Pattern nonblocking_version(const Pattern& blocking);  // with i before its name

}  // namespace bench

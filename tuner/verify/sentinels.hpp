// SPDX-License-Identifier: MIT
// Do rules still hold? A few sizes on both sides of their ends are measured again: sentinels.
#pragma once

#include "verify.hpp"

namespace tuner {

// Empty: the rule holds. Stale is a rule that is slower than the default now, that has lost two thirds of
// its gain, or whose algorithm now wins clearly outside, where it lost when the run was measured.
std::string stale_reason(const Config& config, const Rule& rule, const Cells& cells,
                         const MeasurePairs& measure);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// Proves rules for ranges of layouts, after those of single ones: several in common jobs, since to start a
// job on many nodes takes longer than to measure a rule in it. Those of most worth first, since time may be
// short.
#pragma once

#include "held_out.hpp"
#include "verify.hpp"

namespace tuner {

constexpr std::size_t ranges_at_once = 8;

// Adds to `result`, which has the variances of the jobs before
void verify_ranges(const Config& config, const Cells& cells, const Plan& plan, const MeasurePairs& measure,
                   const HeldOutChoice& choice, Verification& result);

}  // namespace tuner

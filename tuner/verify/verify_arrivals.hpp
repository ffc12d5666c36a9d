// SPDX-License-Identifier: MIT
// Tests rules that hold once more, with ranks that arrive apart: benchmarks let all ranks start together,
// programs do not, and another algorithm may then be the fastest. A rule is tested at the size where it gains
// least and at its smallest one, under each pattern of the plan.
#pragma once

#include "verify.hpp"

namespace tuner {

constexpr double tolerated_loss_when_apart = 0.05;
constexpr std::size_t jobs_with_arrivals = 3;  // where the first one says that a rule loses more
constexpr std::size_t most_cuts = 3;           // of a rule, before it is dropped

// Cuts or drops rules of `result`, and adds to its proofs what was measured
void verify_arrivals(const Plan& plan, const MeasurePairs& measure, Verification& result);

}  // namespace tuner

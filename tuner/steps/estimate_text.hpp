// SPDX-License-Identifier: MIT
// An estimate, as people read it.
#pragma once

#include <optional>
#include <string>

#include "estimate.hpp"

namespace tuner::commands {

std::string basis_text(const Estimate& estimate, const Plan& plan);

// What the time limit leaves out, about; empty: nothing
std::string left_out(const Estimate& estimate, const Plan& plan);

// All that is known, in several lines
std::string estimate_table(const Estimate& estimate, const Plan& plan);
// A line, and one more if the time limit leaves something out; without the last line's end
std::string estimate_summary(const std::string& title, const Estimate& estimate, const Plan& plan);
// The same of the verification of rules that are known; `seconds`: that are left for it, if there is a limit
std::string verification_summary(const StageEstimate& stage, std::optional<double> seconds);

}  // namespace tuner::commands

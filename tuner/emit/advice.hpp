// SPDX-License-Identifier: MIT
// What to do about a call that no rule covers: why there is no rule, and the change of the cluster file or
// the command that would measure the call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explain.hpp"

namespace tuner {

struct Advice {
    std::string why;
    std::vector<std::string> steps;  // for people; commands are as they are typed. Empty: nothing to do
};

// Nothing: a rule covers the call. `run`: whose rules these are; nullptr: only the rules are known.
std::optional<Advice> advice_for(const Explanation& explanation, const SavedRun* run);

std::string to_text(const Advice& advice);
Json to_json(const std::optional<Advice>& advice);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// Sizes beyond the largest measured one, by the model: how far the last rule of a cell may be extended. Such
// rules are marked (`basis` is `model`) and verified like all others.
#pragma once

#include "config.hpp"
#include "prediction.hpp"

namespace tuner {

// A rule is extended to at most this multiple of the largest measured size, ...
inline constexpr std::size_t model_distance = 4;
// ... and not to calls that take longer by the model: verifying them would take minutes.
inline constexpr double longest_call_seconds = 0.25;

// From the size after the rule's last one, as far as the model, with its level corrected by what was
// measured, says that the rule's algorithm is faster than what the library used at the largest measured size,
// beyond the model's error. Nothing if the rule ends before that size, or a model is missing.
std::optional<Rule> rule_beyond(const Rule& rule, const Cell& cell, Prediction& prediction);

}  // namespace tuner

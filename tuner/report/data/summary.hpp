// SPDX-License-Identifier: MIT
// What people read at the end of a tuning: what was gained where, what it cost, what to type next.
#pragma once

#include <string>

#include "proofs.hpp"

namespace tuner {

struct Costs {
    double benchmark_seconds = 0;
    std::size_t cases = 0;
};

// Why a verified configuration has no rules: because none is better, or because nobody knows. Without a dot.
std::string reason_for_no_rules(const Config& config);

// `proofs` of rules that were dropped do not count as gains.
std::string summary_text(const Config& config, const std::vector<Proof>& proofs, const Costs& costs,
                         const std::string& folder);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// What people read at the end of a tuning: what was gained where, what it cost, what to type next.
#pragma once

#include <string>

#include "verify.hpp"

namespace tuner {

struct Costs {
    double benchmark_seconds = 0;
    std::size_t cases = 0;
};

// The proofs of a run, and the configuration that they are for; verification.json keeps them.
Json to_json(const std::vector<Proof>& proofs, const std::vector<std::string>& notes);
std::vector<Proof> proofs_from(const CheckedJson& json);

// Proofs of sizes that a rule of the configuration holds for: the others do not count as gains.
std::vector<const Proof*> proofs_that_count(const Config& config, const std::vector<Proof>& proofs);

// `proofs` of rules that were dropped do not count as gains.
std::string summary_text(const Config& config, const std::vector<Proof>& proofs, const Costs& costs,
                         const std::string& folder);

}  // namespace tuner

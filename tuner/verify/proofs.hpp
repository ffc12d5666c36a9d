// SPDX-License-Identifier: MIT
// The proofs of a run: `verification.json` of its directory.
#pragma once

#include <string>
#include <vector>

#include "saved_run.hpp"
#include "verify.hpp"

namespace tuner {

Json to_json(const std::vector<Proof>& proofs, const std::vector<std::string>& notes);
std::vector<Proof> proofs_from(const CheckedJson& json);
std::vector<Proof> proofs_of(const RunFiles& files);  // empty: nothing was verified yet

// Proofs of sizes that a rule of the configuration holds for: the others do not count as gains.
std::vector<const Proof*> proofs_that_count(const Config& config, const std::vector<Proof>& proofs);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// The proofs of a run: `verification.json` of its directory.
#pragma once

#include <string>
#include <vector>

#include "saved_run.hpp"
#include "verify.hpp"

namespace tuner {

Json to_json(const std::vector<Proof>& proofs, const std::vector<std::string>& notes,
             const JobVariances& variances = {});
std::vector<Proof> proofs_from(const CheckedJson& json);
JobVariances variances_from(const CheckedJson& json);  // of verification.json
JobVariances variances_in(const RunFiles& files);      // what is usual, if nothing was verified yet
std::vector<Proof> proofs_in(const RunFiles& files);   // of whatever rules; empty: nothing was verified yet
// Of the rules in the configuration of the run; empty: they are not verified
std::vector<Proof> proofs_of(const RunFiles& files);

// Of a configuration that was read from the run: whether its rules are as a verification left them, and
// whether verification.json is the one that it names. Older versions named none.
bool has_verified_rules(const Config& config);
bool has_its_proofs(const RunFiles& files, const Config& config);

// Proofs of sizes that a rule of the configuration holds for: the others do not count as gains.
std::vector<const Proof*> proofs_that_count(const Config& config, const std::vector<Proof>& proofs);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// From measured cases to a verified configuration: what tune, decide, verify and check have in common.
#pragma once

#include <optional>
#include <string>

#include "measuring.hpp"
#include "verify.hpp"

namespace tuner::commands {

// Rules by what was measured; not verified
Config decided_config(const RunData& data, const Plan& plan, const RunFiles& files);
void write_config(const RunFiles& files, const Config& config);

// Measures pairs for a proof or a check; the journal answers what was measured before the run was
// interrupted.
MeasurePairs pairs_by(OpenRun& run, Campaign& campaign, Progress& progress, Stage stage,
                      std::optional<Deadline> end);

// With the tuning file where the library reads one, so that what is verified is what jobs will use
Verification verify_rules(OpenRun& run, Progress& progress, const Config& config,
                          std::optional<Deadline> end);
void write_verified(const RunFiles& files, Config config, const Verification& verification);

// Measures, decides and verifies the stale cells again; what holds in the others stays as it is.
void retune(OpenRun& run);

}  // namespace tuner::commands

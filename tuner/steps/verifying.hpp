// SPDX-License-Identifier: MIT
// From measured cases to a verified configuration: what tune, decide, verify and check have in common.
#pragma once

#include <optional>
#include <string>

#include "common_options.hpp"
#include "measure_knobs.hpp"
#include "measuring.hpp"
#include "verify.hpp"

namespace tuner::commands {

// What rules may do: as asked; else as the rules that are there, which a command may have decided
// otherwise than the plan says; else as the plan
Plan with_limits(Plan plan, const RuleLimits& asked, const RunFiles& files);

// Rules by what was measured; not verified
Config decided_config(const RunData& data, const Plan& plan, const RunFiles& files);

// Measures pairs for a proof or a check; the journal answers what was measured before the run was
// interrupted.
// `expected_end`: when all is expected to be measured, for people.
MeasurePairs pairs_by(OpenRun& run, Campaign& campaign, Progress& progress, Stage stage,
                      std::optional<Deadline> end, std::optional<Deadline> expected_end = {});

// With a file of these rules where the library reads one, so that what is verified is what jobs will use. It
// is not the one that jobs of users read.
Verification verify_rules(OpenRun& run, Progress& progress, const Config& config,
                          std::optional<Deadline> end);

// Measures these variables beside the rules of the run, and keeps those that are proven in its configuration
std::vector<KnobResult> prove_knobs(OpenRun& run, Progress& progress, const std::vector<PlannedKnob>& knobs);
// Has this been done with the plan's?
bool were_knobs_proven(const OpenRun& run);

// Measures, decides and verifies the stale cells again; what holds in the others stays as it is. The
// configuration of the run must be verified.
void retune(OpenRun& run);

}  // namespace tuner::commands

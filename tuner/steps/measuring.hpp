// SPDX-License-Identifier: MIT
// The measurements of a run, by budget: networks, exchanges, then the search; and what is said about them.
#pragma once

#include <optional>
#include <set>

#include "campaign.hpp"
#include "error.hpp"
#include "saved_run.hpp"

namespace tuner::commands {

inline constexpr std::size_t most_layouts =
    8;  // if the tuner chooses: more hardly lower the loss that is left
double share_of_search(
    const Cluster& cluster);  // of a budget, messages included; the rest is for verification

// Throws an Error outside of an allocation of Slurm if the run needs one
void require_allocation(const OpenRun& run);
Campaign campaign_of(OpenRun& run, const Cluster& cluster, Progress& progress);

// All that is missing. `only`: these cells; nullptr: all of the plan. Throws an Error if it was stopped, or
// nothing could be measured. Of a network that changed, the exchanges of
// the plan are measured again, too.
CampaignReport measure(OpenRun& run, Progress& progress, const std::set<CellKey>* only = nullptr);

// Leftover processes would disturb what is measured next: warns of them.
void end_job(Campaign& campaign, Progress& progress);

Error stopped(const OpenRun& run);

std::optional<Deadline> end_of_budget(const Plan& plan, Deadline start);

}  // namespace tuner::commands

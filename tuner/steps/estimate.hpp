// SPDX-License-Identifier: MIT
// How long a tuning will take, stage by stage: before anything is measured by the limits of the plan, later
// by the messages and cases that the run has.
#pragma once

#include <string>
#include <vector>

#include "cells.hpp"
#include "config.hpp"
#include "network_parameters.hpp"
#include "plan.hpp"

namespace tuner::commands {

struct StageEstimate {
    std::string stage = {};   // for people
    double jobs = 0;          // that are started
    double cases = 0;         // that are still to be measured
    double seconds = 0;       // launches included
    double grid_seconds = 0;  // of a search: the part for the sizes of the grids
    double rules = 0;         // of the verification
};

// What the times of calls come from
enum class CallBasis { assumed, messages, cases };

struct Estimate {
    std::vector<StageEstimate> measuring;  // up to the end of the search
    StageEstimate verification;            // without cases: nothing is to be verified
    double more_layouts = 0;    // at most, that will be chosen; the last of `measuring` is for them
    double launch_seconds = 0;  // of one job
    bool is_launch_measured = false;
    CallBasis calls = CallBasis::assumed;
    // The time limit, 0: none; and the part of it for what is measured up to the end of the search
    double budget_seconds = 0;
    double measuring_budget_seconds = 0;

    double measuring_seconds() const;  // without the limit
    double seconds() const;            // of all, without the limit
    double limited_seconds() const;    // with it
};

// What is still to be measured in a run; of a RunData without cases: all. `messages`: what is known of its
// networks. The time limit is the plan's, of which so many seconds are used.
Estimate estimate(const Cluster& cluster, const Plan& plan, const RunData& run,
                  const NetworkParameters& messages = {}, double used_seconds = 0);

// Of a case in the search, if its calls are short
double seconds_of_case(const Plan& plan);

// Once the rules are known; without what the run has verified of them before
StageEstimate verification_estimate(const Config& config, const RunData& run, const Plan& plan,
                                    double launch_seconds);

// Of one job, until it can measure: by the run if it has started some, else assumed
double launch_seconds_of(const Cluster& cluster, const RunData& run);

}  // namespace tuner::commands

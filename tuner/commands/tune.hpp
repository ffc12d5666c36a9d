// SPDX-License-Identifier: MIT
// The flow of a tuning: open or resume a run, measure, decide, verify, write the configuration, tell people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config.hpp"

namespace tuner {

struct TuneOptions {
    std::string cluster_file;  // empty: the allocation of Slurm, or this machine
    std::string plan = "quick";
    std::vector<std::string> collectives;  // empty: the plan's
    std::string folder = "changeover-run";
    double budget_seconds = 0;  // 0: the plan's
    std::uint64_t seed = 1;
    bool exhaustive = false;
    std::string profile;  // prefix of a trace: what a new run is for; empty: everything
    std::vector<std::string> command_line;
};

// All of it; the exit code.
int tune(const TuneOptions& options);

// Its steps on a run that exists (measure also makes one)
int measure_step(const TuneOptions& options);
int decide_step(const std::string& folder);
int verify_step(const std::string& folder);
int summary_step(const std::string& folder);

// What tune would do, without doing it: the command lines of all launches
int dry_run(const TuneOptions& options);

// Re-measures sizes at the ends of the rules. 3: some are stale; with `retune_stale` these are measured anew,
// and only their rules are replaced.
int check_step(const std::string& folder, bool retune_stale);

// What is found: the machine, and what a job on each network and layout says of itself
int environment_step(const std::string& cluster_file);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// What tune and run are told on the command line: the cluster, the plan and the run directory, new or
// resumed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "commands.hpp"
#include "saved_run.hpp"

namespace tuner::commands {

struct TuneOptions {
    std::string cluster_file;  // empty: the allocation of Slurm, or this machine
    std::string plan = "quick";
    std::vector<std::string> collectives;  // empty: the plan's
    std::string folder = default_run;
    std::string budget;  // empty: the plan's
    std::uint64_t seed = 1;
    bool exhaustive = false;
    std::string profile;  // prefix of a trace: what a new run is for; empty: everything
    bool dry_run = false;
    std::vector<std::string> command_line;
};

void add_tune_options(CLI::App& command, TuneOptions& options);

Cluster cluster_of(const TuneOptions& options);

// Resumes the run in the folder, or starts one there. Throws an Error if it was started with other options.
OpenRun open_run(const TuneOptions& options);

// Resumes a run, and says which allocation of Slurm is used
OpenRun resumed_run(const std::string& folder);

// Prints what would be measured, and the command lines of all launches
void print_dry_run(const TuneOptions& options);

}  // namespace tuner::commands

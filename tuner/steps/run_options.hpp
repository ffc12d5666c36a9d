// SPDX-License-Identifier: MIT
// What tune and run are told on the command line: the cluster, the plan and the run directory, new or
// resumed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common_options.hpp"
#include "saved_run.hpp"

namespace tuner::commands {

// Of commands that measure in a run: they start the programs that its manifest names.
struct ResumeOptions {
    std::string folder = default_run;
    bool trusts_others = false;  // also those of another user's run
};

// For a run that exists, an option that is not given is as it was when the run was started.
struct TuneOptions : ResumeOptions {
    std::string cluster_file;              // empty: the allocation of Slurm, or this machine
    MachineUse machine;                    // if it is this machine
    std::optional<std::string> plan;       // nothing: quick
    std::vector<std::string> collectives;  // empty: the plan's
    std::string budget;                    // empty: the plan's
    std::optional<std::uint64_t> seed;     // nothing: 1
    bool exhaustive = false;
    std::string prior;       // folder of an earlier run; empty: none
    std::string until_loss;  // empty: the plan's
    RuleLimits limits;       // empty: the plan's
    std::string profile;     // prefix of a trace: what a new run is for; empty: everything
    std::string job_mix;     // a file, or sacct; empty: all sizes of jobs count the same
    bool dry_run = false;
    std::vector<std::string> command_line;
};

void add_resume_options(CLI::App& command, ResumeOptions& options);
void add_cluster_options(CLI::App& command, TuneOptions& options);
void add_tune_options(CLI::App& command, TuneOptions& options);

// Throws an Error for a size that is none
void set_limits(Plan& plan, const RuleLimits& asked);

Cluster cluster_of(const TuneOptions& options);

// Resumes the run in the folder, or starts one there. Throws an Error if it was started with other options.
OpenRun open_run(const TuneOptions& options);

// Resumes a run: finishes what an interrupted command has not written, and says which allocation of Slurm is
// used. Throws an Error for a run of another user that is not trusted.
OpenRun resumed_run(const ResumeOptions& options);

// Prints what would be measured (in a run that exists: what is missing), for how long, and the command lines
// of all launches
void print_dry_run(const TuneOptions& options);

}  // namespace tuner::commands

// SPDX-License-Identifier: MIT
// The allocation of Slurm in which this process runs: its nodes and how many ranks each may have, as the
// variables of salloc and sbatch say it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cluster.hpp"

namespace tuner {

struct Allocation {
    std::string job;
    std::vector<Host> hosts;
    bool is_one_machine = false;  // several slurmd on one machine: a Slurm for tests
};

// Nothing: this process is in none. Throws an Error when Slurm does not tell its hosts.
std::optional<Allocation> slurm_allocation();

// The job of this process was cancelled, or its time is over: Slurm starts no more steps in it. False
// outside.
bool is_allocation_over();

std::string to_string(const Allocation& allocation);  // for people

}  // namespace tuner

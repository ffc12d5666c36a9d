// SPDX-License-Identifier: MIT
// Under which conditions a run was measured on one of its networks: machine, library, plan, the network
// itself, and what the kernel counted meanwhile.
#pragma once

#include <map>
#include <string>

#include "journal.hpp"

namespace tuner {

// By name, such as machine.kernel, library.MPICH Version, plan.precision, network.interface
using Conditions = std::map<std::string, std::string>;
Conditions conditions_of(const RunData& data, const std::string& network);

// The kernel's TCP counters over all jobs of a layout
struct KernelCounters {
    std::size_t jobs = 0;
    std::size_t jobs_that_told = 0;  // those that ended by themselves
    long retransmits = 0;
    long time_outs = 0;
};
std::map<Layout, KernelCounters> counters_of(const RunData& data, const std::string& network);

}  // namespace tuner

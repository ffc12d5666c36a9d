// SPDX-License-Identifier: MIT
// What this machine is: for a run's manifest, its fingerprint, and `changeover env`.
#pragma once

#include "cluster.hpp"

namespace tuner {

extern const char* const program_version;

std::string now_utc();  // ISO 8601

// Facts that help to understand a run later
Json environment_of_this_machine();

// What must stay the same for the results to hold
Json fingerprint_of(const Cluster& cluster);

}  // namespace tuner

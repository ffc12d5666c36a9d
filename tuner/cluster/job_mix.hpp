// SPDX-License-Identifier: MIT
// Which jobs the users of a cluster run: from a text file, or from the accounting of Slurm. Without it, all
// sizes count the same (next_layout.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster.hpp"

namespace tuner {

// Lines `NODES RANKS [JOBS]`, with blanks or | between them; # starts a comment. Jobs of one rank have no
// collectives and are left out. Throws an Error with the line, or when no job is left.
std::vector<JobCount> parse_job_mix(std::string_view text, const std::string& name);

// A file, or job_mix_of_slurm: the steps of all jobs of the last 30 days, as far as the user may see them
inline constexpr const char* job_mix_of_slurm = "sacct";
std::vector<JobCount> read_job_mix(const std::string& file_or_sacct);

}  // namespace tuner

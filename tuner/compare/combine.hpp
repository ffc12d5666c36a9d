// SPDX-License-Identifier: MIT
// `changeover combine`: several runs of the same plan as one. The median of each case over the medians of the
// runs, with the spread between runs: what differs from job to job is no longer taken for certain. It can be
// written as a run, whose samples are the medians of the runs, for all commands that read one.
#pragma once

#include <string>
#include <vector>

#include "combination.hpp"
#include "measured_cases.hpp"

namespace tuner {

struct CombinedCase {
    CaseKey key;
    std::vector<models::RunMedian> medians;  // in the order of the runs
    models::Combined combined;
    CaseRecord record;  // for a combined run: the medians are its samples
};

struct Combination {
    std::vector<std::string> runs;
    Manifest manifest;                // of the first run
    std::vector<CombinedCase> cases;  // that all runs have
    std::size_t left_out = 0;         // cases that not all runs have
};

// Throws an Error (wrong use) if the runs have no case in common
Combination combine_runs(const std::vector<std::string>& folders);

Json to_json(const Combination& combination);
std::string to_text(const Combination& combination);

// As a run in a new folder. Nothing can be measured in it.
void write_run(const Combination& combination, const std::string& folder,
               const std::vector<std::string>& command_line);
bool is_combined(const Manifest& manifest);

}  // namespace tuner

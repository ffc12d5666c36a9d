// SPDX-License-Identifier: MIT
// Where the time of a run went: the jobs and cases of each stage, by the events and cases of its journal.
#pragma once

#include <string>
#include <vector>

#include "run_data.hpp"

namespace tuner {

struct StageCosts {
    Stage stage = Stage::search;
    std::size_t jobs = 0;
    std::size_t cases = 0;
    double timed_seconds = 0;   // of the calls that became samples
    double other_seconds = 0;   // that jobs ran besides: warm-up, barriers, clocks, invalid repetitions
    double launch_seconds = 0;  // until a job was ready to measure, or did not start

    double seconds() const { return timed_seconds + other_seconds + launch_seconds; }
};

// Of a run that was loaded, not of one that this process writes: its events are needed with their times. In
// the order of the stages, only those that have jobs or cases. A job that measured for several stages is
// counted for the first of them, and its time is shared by what their cases took. The end of a job that was
// killed with the tuner is not known: it counts as long as its cases took.
std::vector<StageCosts> stage_costs(const RunData& run);

// A table with a row for each stage, and one for all; empty: no job is known
std::string costs_table(const std::vector<StageCosts>& costs);

const char* stage_title(Stage stage);  // for people

}  // namespace tuner

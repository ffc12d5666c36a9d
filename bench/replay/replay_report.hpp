// SPDX-License-Identifier: MIT
// Recorded and replayed times side by side, as text and as one JSON object.
#pragma once

#include <string>
#include <vector>

#include "replay_file.hpp"

namespace bench {

struct ReplayRepetition {
    double seconds = 0;                        // of the slowest rank
    std::vector<double> seconds_of_call = {};  // as in the program; of all ranks
};

struct ReplayReport {
    std::string file;
    ReplayProgram program;
    std::string library;
    std::string compute;
    std::vector<std::string> notes;  // on the job
    std::vector<ReplayRepetition> repetitions;
};

std::string replay_text(const ReplayReport& report);
std::string replay_json(const ReplayReport& report);

}  // namespace bench

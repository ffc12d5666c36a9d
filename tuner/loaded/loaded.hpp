// SPDX-License-Identifier: MIT
// The last proof: the rules of a run are emitted as the file that the library reads, and jobs that read it
// are compared with jobs that do not. Nothing is forced in either.
#pragma once

#include <string>
#include <vector>

#include "comparison.hpp"
#include "config.hpp"
#include "progress.hpp"

namespace tuner {

struct LoadedSize {
    Rule rule;  // as far as it is for one layout
    std::size_t bytes = 0;
    double default_seconds = 0;  // medians
    double loaded_seconds = 0;
    models::Ratio ratio = {0, {0, 0}};  // default / loaded: above 1 is a gain
    double p = 1;                       // of: no difference; corrected for the number of sizes (Holm)

    bool is_slower() const;  // beyond chance
    bool is_faster() const;
};

// By the samples of both kinds of jobs; sizes that one of them lacks are left out.
struct LoadedSamples {
    Rule rule;
    std::size_t bytes;
    std::vector<double> by_default;
    std::vector<double> loaded;
};
std::vector<LoadedSize> compare_loaded(const std::vector<LoadedSamples>& samples);

std::string to_text(const std::vector<LoadedSize>& sizes);

// Measures and prints; the exit code: 3 if something is slower with the file
int verify_loaded(OpenRun& run, Progress& progress);

}  // namespace tuner

// SPDX-License-Identifier: MIT
// How times vary on a simulated cluster: from repetition to repetition, over time, and from job to job.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "run_data.hpp"

namespace calibration {

// All standard deviations are of the logarithm of a time: 0.02 is about 2%.
struct Noise {
    std::string name;
    double repetition_sd = 0;    // of one repetition around the level
    double autocorrelation = 0;  // of neighbouring repetitions of one algorithm
    double outlier_share = 0;    // repetitions with a delay: exponential, of this mean
    double outlier_mean = 0;
    double level_sd = 0;          // of the level that all algorithms share, which drifts
    double level_seconds = 0;     // after which it has forgotten 63% of itself
    double ratio_of_jobs_sd = 0;  // of the ratio of two algorithms, between jobs
    double shared_by_sizes = 1;   // share of that variance which is the same at all sizes of a job
};

// calibrated: as the recorded runs of two over-subscribed cores; quiet: as the lab with nothing else on it;
// drift: calibrated, with a level that changes strongly during a group
Noise noise_named(const std::string& name);
std::vector<std::string> names_of_noises();

// Fitted to the samples of a run's search. One job cannot tell how jobs differ: `ratio_of_jobs_sd` is that of
// `calibrated`.
Noise noise_of(const tuner::RunData& run);

using Random = std::mt19937_64;

// A number that depends on all of these and nothing else, so that an effect does not depend on the order in
// which things are measured
std::uint64_t hashed(std::uint64_t seed, std::string_view text);
std::uint64_t hashed(std::uint64_t seed, std::uint64_t number);

}  // namespace calibration

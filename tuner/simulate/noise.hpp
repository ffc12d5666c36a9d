// SPDX-License-Identifier: MIT
// Repetitions of a simulated call: its exact time, with the noise that a machine would add. The same seed
// gives the same times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace tuner {

struct Noise {
    double sigma = 0;           // of the logarithm of a time: 0.02 is 2%
    double outliers = 0;        // share of the repetitions
    double outlier_factor = 3;  // so much longer
    double time_outs = 0;       // share of the repetitions that a TCP retransmit time-out delays
    double drift_per_hour = 0;  // of all times: 0.01 is 1% slower after an hour of measuring
    bool operator==(const Noise&) const = default;

    bool is_any() const { return sigma > 0 || outliers > 0 || time_outs > 0 || drift_per_hour != 0; }
};

class NoisyTimes {
  public:
    NoisyTimes(const Noise& noise, std::uint64_t seed) : noise_(noise), random_(seed) {}
    // One repetition of a call that takes `seconds`, after so many seconds of measuring
    double next(double seconds, double seconds_before);

  private:
    double uniform();  // [0, 1), the same on every machine
    double normal();

    Noise noise_;
    std::mt19937_64 random_;
};

}  // namespace tuner

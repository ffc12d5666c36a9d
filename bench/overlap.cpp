// SPDX-License-Identifier: MIT
#include "overlap.hpp"

#include <algorithm>

namespace bench {

namespace {

constexpr int steps_of_unit = 256;
constexpr int trials = 15;
constexpr double units_of_trial = 200;

// Neither vectorised nor left out
[[gnu::noinline]] double compute(double units) {
    volatile double sink = 1;
    double value = 1;
    for (double unit = 0; unit < units; ++unit) {
        for (int step = 0; step < steps_of_unit; ++step) {
            value = value * 0.999999 + 1e-6;
        }
        sink = value;
    }
    return sink;
}

}  // namespace

const Workload& Workload::calibrated(const Clock& clock) {
    static const Workload workload(clock);
    return workload;
}

// The shortest of some trials: the others were interrupted
Workload::Workload(const Clock& clock) {
    double best = 1;
    for (int trial = 0; trial < trials; ++trial) {
        const double begin = clock.now();
        run(units_of_trial);
        best = std::min(best, clock.now() - begin);
    }
    seconds_of_unit_ = best / units_of_trial;
}

void Workload::run(double units) {
    compute(units);
}

void Workload::operator()(double seconds) const {
    run(seconds / seconds_of_unit_);
}

int tests_for(std::size_t bytes, std::size_t interval) {
    return interval == 0 ? 0 : static_cast<int>((bytes + interval - 1) / interval) + 1;
}

double overlap_of(double blocking_seconds, double overhead_seconds) {
    return std::clamp(1 - overhead_seconds / blocking_seconds, 0.0, 1.0);
}

}  // namespace bench

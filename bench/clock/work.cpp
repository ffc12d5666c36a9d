// SPDX-License-Identifier: MIT
#include "work.hpp"

#include <algorithm>
#include <limits>

namespace bench {

namespace {

constexpr long calibration_rounds = 100000;
constexpr int calibrations = 20;  // of which the shortest was not disturbed

void do_rounds(long rounds) {
    unsigned long value = 1;
    for (long i = 0; i < rounds; ++i) {
        value = value * 6364136223846793005UL + 1442695040888963407UL;
        asm volatile("" : "+r"(value));  // each round waits for the one before, and none is left out
    }
}

}  // namespace

Work::Work(const Clock& clock) {
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < calibrations; ++i) {
        const double begin = clock.now();
        do_rounds(calibration_rounds);
        shortest = std::min(shortest, clock.now() - begin);
    }
    rounds_per_second_ = static_cast<double>(calibration_rounds) / shortest;
}

void Work::operator()(double seconds) const {
    do_rounds(rounds(seconds));
}

long Work::rounds(double seconds) const {
    return static_cast<long>(seconds * rounds_per_second_);
}

}  // namespace bench

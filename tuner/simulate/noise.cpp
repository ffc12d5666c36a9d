// SPDX-License-Identifier: MIT
#include "noise.hpp"

#include <cmath>
#include <numbers>

namespace tuner {

namespace {

constexpr double seconds_of_hour = 3600;
constexpr double time_out_seconds = 0.2;  // TCP_RTO_MIN of Linux

}  // namespace

// The distributions of the standard library may differ from one library to the next; this does not.
double NoisyTimes::uniform() {
    constexpr int bits = 53;
    return std::ldexp(static_cast<double>(random_() >> (64 - bits)), -bits);
}

double NoisyTimes::normal() {  // Box and Muller
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
}

double NoisyTimes::next(double seconds, double seconds_before) {
    if (!noise_.is_any()) {
        return seconds;
    }
    double time = seconds * std::exp(noise_.sigma * normal());
    time *= 1 + noise_.drift_per_hour * seconds_before / seconds_of_hour;
    const double kind = uniform();
    if (kind < noise_.outliers) {
        time *= noise_.outlier_factor;
    } else if (kind < noise_.outliers + noise_.time_outs) {
        time += time_out_seconds;
    }
    return time;
}

}  // namespace tuner

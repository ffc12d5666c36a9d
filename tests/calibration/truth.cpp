// SPDX-License-Identifier: MIT
#include "truth.hpp"

#include <algorithm>
#include <cmath>

namespace calibration {

namespace {

// As the recorded runs: 8 ranks on 2 cores with TCP over loopback
constexpr double start_seconds = 400e-6;
constexpr double byte_seconds = 2e-9;

constexpr std::size_t default_changes = 16384;
constexpr std::size_t any = static_cast<std::size_t>(-1);

}  // namespace

double Difference::gain_at(std::size_t bytes) const {
    if (fades_over <= 0) {
        return gain;
    }
    const auto size = static_cast<double>(std::max<std::size_t>(bytes, 1));
    const double factor =
        std::max({1.0, static_cast<double>(from_bytes) / size, size / static_cast<double>(to_bytes)});
    return std::max(-gain, gain * (1 - std::log(factor) / std::log(fades_over)));
}

double Truth::seconds(const std::string& algorithm, std::size_t bytes) const {
    double gain = 0;
    for (const Difference& difference : differences) {
        if (difference.algorithm == algorithm && difference.holds(bytes)) {
            gain = difference.gain_at(bytes);
        }
    }
    return (start_seconds + byte_seconds * static_cast<double>(bytes)) / (1 + gain);
}

const std::string& Truth::used_by_default(std::size_t bytes) const {
    return bytes < default_changes ? algorithms[0] : algorithms[1];
}

Truth all_equal() {
    return {};
}

Truth one_gains(double gain) {
    Truth truth;
    truth.differences = {{"a3", 0, any, 1 / 1.1 - 1}, {"a3", gain_from, gain_to, gain}};
    return truth;
}

Truth one_fades(double gain) {
    Truth truth;
    truth.differences = {{"a3", gain_from, gain_to, gain, 2}};
    return truth;
}

Truth one_gains_everywhere() {
    Truth truth;
    truth.differences = {{"a3", 0, any, 0.2}};
    return truth;
}

Truth several_gain(double gain) {
    Truth truth;
    for (const char* algorithm : {"a3", "a4", "a5"}) {
        truth.differences.push_back({algorithm, 0, any, gain});
    }
    return truth;
}

Truth zone_slower(std::size_t bytes, double loss) {
    Truth truth = one_gains_everywhere();
    truth.differences.push_back({"a3", bytes * 100 / 115, bytes * 115 / 100, 1 / (1 + loss) - 1});
    return truth;
}

}  // namespace calibration

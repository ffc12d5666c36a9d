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

std::vector<std::string> MadeUpTruth::algorithms(const tuner::CellKey& /*cell*/) const {
    return {"a1", "a2", "a3", "a4", "a5"};
}

std::optional<double> MadeUpTruth::seconds(const tuner::CellKey& /*cell*/, const std::string& algorithm,
                                           std::size_t bytes) const {
    double gain = 0;
    for (const Difference& difference : differences) {
        if (difference.algorithm == algorithm && difference.holds(bytes)) {
            gain = difference.gain_at(bytes);
        }
    }
    return (start_seconds + byte_seconds * static_cast<double>(bytes)) / (1 + gain);
}

std::string MadeUpTruth::used_by_default(const tuner::CellKey& /*cell*/, std::size_t bytes) const {
    return bytes < default_changes ? "a1" : "a2";
}

namespace {

TruthPointer made_up(std::vector<Difference> differences) {
    return std::make_shared<MadeUpTruth>(std::move(differences));
}

}  // namespace

TruthPointer all_equal() {
    return made_up({});
}

TruthPointer one_gains(double gain) {
    return made_up({{"a3", 0, any, 1 / 1.1 - 1}, {"a3", gain_from, gain_to, gain}});
}

TruthPointer one_fades(double gain) {
    return made_up({{"a3", gain_from, gain_to, gain, 2}});
}

TruthPointer one_gains_everywhere() {
    return made_up({{"a3", 0, any, 0.2}});
}

TruthPointer several_gain(double gain) {
    return made_up({{"a3", 0, any, gain}, {"a4", 0, any, gain}, {"a5", 0, any, gain}});
}

TruthPointer two_take_turns(double gain) {
    const double loss = 1 / (1 + gain) - 1;
    return made_up({{"a3", 0, any, loss},
                    {"a3", gain_from, gain_to, gain},
                    {"a4", 0, any, gain},
                    {"a4", gain_from, gain_to, loss}});
}

TruthPointer zone_slower(std::size_t bytes, double loss) {
    return made_up({{"a3", 0, any, 0.2}, {"a3", bytes * 100 / 115, bytes * 115 / 100, 1 / (1 + loss) - 1}});
}

}  // namespace calibration

// SPDX-License-Identifier: MIT
// Finds the parameters of a machine with which simulated times of collectives are like measured ones: changes
// one parameter after the other, by steps that become smaller, for as long as that helps. Parameters that are
// zero stay zero. Deterministic.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "simulated_benchmark.hpp"

namespace tuner {

struct MeasuredTime {
    Layout layout;
    SimulatedBenchmark::Call call;
    double seconds = 0;
};

class Calibration {
  public:
    // Of many times only some are simulated again and again: those with the fewest messages
    Calibration(const SimulatedPlatform& platform, std::vector<MeasuredTime> times);

    using Progress = std::function<void(int step, int of, double error)>;
    SimulatedMachine fitted(SimulatedMachine start, const Progress& progress);
    double median_error(const SimulatedMachine& machine);  // relative
    std::size_t times() const { return times_.size(); }

  private:
    double seconds(const MeasuredTime& of);
    void set_machine(const SimulatedMachine& machine);
    // The mean distance of the logarithms; some number above `at_least` if it is above
    double distance(const SimulatedMachine& machine, double at_least);

    std::map<Layout, SimulatedBenchmark> benchmarks_;
    std::vector<MeasuredTime> times_;
};

}  // namespace tuner

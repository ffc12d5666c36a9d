// SPDX-License-Identifier: MIT
#include "calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.hpp"
#include "statistics.hpp"

namespace tuner {

namespace {

constexpr std::size_t most_messages = 200'000;  // of one simulation of all times
constexpr int most_steps = 400;
constexpr double first_step = 0.7;  // of the logarithm of a parameter
constexpr double last_step = 0.02;
constexpr double least_gain = 1e-5;
constexpr double far_off = 0.3;  // from there on a distance counts by itself, before by its square

// What is changed together
using Group = std::vector<double*>;

std::vector<Group> searched(SimulatedMachine& machine) {
    models::Parameters& of = machine.parameters;
    std::vector<Group> all;
    Group bytes_between;
    for (models::ProtocolSegment& segment : of.between.segments) {
        all.push_back({&segment.latency_seconds});
        bytes_between.push_back(&segment.seconds_per_byte);
    }
    all.push_back(bytes_between);
    for (models::ProtocolSegment& segment : of.within.segments) {
        all.push_back({&segment.latency_seconds});
        all.push_back({&segment.seconds_per_byte});
    }
    for (double* single :
         {&of.between.gap_seconds, &of.between.opposite_seconds_per_byte, &of.between.free_opposite_bytes,
          &of.combine_seconds_per_byte, &of.copy_seconds_per_byte, &machine.send_overhead_seconds,
          &machine.receive_overhead_seconds, &machine.cores.dispatch_seconds, &machine.cores.wake_seconds,
          &machine.cores.between_seconds, &machine.cores.between_seconds_per_byte,
          &machine.cores.within_seconds_per_byte, &machine.burst_bytes}) {
        all.push_back({single});
    }
    return all;
}

void scale(const Group& group, double factor) {
    for (double* value : group) {
        *value *= factor;
    }
}

}  // namespace

Calibration::Calibration(const SimulatedPlatform& platform, std::vector<MeasuredTime> times) {
    std::vector<std::pair<std::size_t, MeasuredTime>> by_messages;
    for (MeasuredTime& time : times) {
        if (!benchmarks_.contains(time.layout)) {
            std::vector<std::string> hosts = platform.host_names();
            if (time.layout.nodes > static_cast<int>(hosts.size())) {
                throw usage_error("the platform has too few nodes for the layout " + to_string(time.layout));
            }
            hosts.resize(static_cast<std::size_t>(time.layout.nodes));
            benchmarks_.try_emplace(time.layout, platform, hosts, time.layout);
        }
        const SimulatedBenchmark::Time& played = benchmarks_.at(time.layout).time_of(time.call);
        if (played.refused.empty() && time.seconds > 0) {
            by_messages.emplace_back(played.played.messages, std::move(time));
        }
    }
    std::stable_sort(by_messages.begin(), by_messages.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    std::size_t messages = 0;
    for (auto& [of_time, time] : by_messages) {
        messages += of_time;
        if (messages > most_messages && !times_.empty()) {
            break;
        }
        times_.push_back(std::move(time));
    }
    if (times_.empty()) {
        throw failure("none of the measured times can be simulated");
    }
}

void Calibration::set_machine(const SimulatedMachine& machine) {
    for (auto& [layout, benchmark] : benchmarks_) {
        benchmark.set_machine(machine);
    }
}

double Calibration::seconds(const MeasuredTime& of) {
    return benchmarks_.at(of.layout).time_of(of.call).played.seconds;
}

double Calibration::distance(const SimulatedMachine& machine, double at_least) {
    set_machine(machine);
    const double enough = at_least * static_cast<double>(times_.size());
    double sum = 0;
    for (const MeasuredTime& time : times_) {
        const double off = std::abs(std::log(seconds(time) / time.seconds));
        sum += off < far_off ? off * off / (2 * far_off) : off - far_off / 2;
        if (!(sum < enough)) {
            return std::numeric_limits<double>::infinity();
        }
    }
    return sum / static_cast<double>(times_.size());
}

double Calibration::median_error(const SimulatedMachine& machine) {
    set_machine(machine);
    std::vector<double> errors;
    for (const MeasuredTime& time : times_) {
        errors.push_back(std::abs(seconds(time) / time.seconds - 1));
    }
    std::sort(errors.begin(), errors.end());
    return models::median(errors);
}

SimulatedMachine Calibration::fitted(SimulatedMachine start, const Progress& progress) {
    SimulatedMachine best = std::move(start);
    double distance_of_best = distance(best, std::numeric_limits<double>::infinity());
    std::vector<double> steps(searched(best).size(), first_step);
    int taken = 0;
    for (bool goes_on = true; goes_on && taken < most_steps;) {
        goes_on = false;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i] < last_step || *searched(best)[i].front() == 0) {
                continue;
            }
            goes_on = true;
            bool is_better = false;
            for (const double step : {steps[i], -steps[i]}) {
                SimulatedMachine changed = best;
                scale(searched(changed)[i], std::exp(step));
                const double of_changed = distance(changed, distance_of_best - least_gain);
                ++taken;
                if (of_changed < distance_of_best) {
                    best = std::move(changed);
                    distance_of_best = of_changed;
                    is_better = true;
                    break;
                }
            }
            steps[i] *= is_better ? 1.3 : 0.5;
            progress(std::min(taken, most_steps), most_steps, distance_of_best);
        }
    }
    return best;
}

}  // namespace tuner

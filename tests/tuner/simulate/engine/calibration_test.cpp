// SPDX-License-Identifier: MIT
// Times that a known machine gives are the measured ones: it must be found again.
#include "calibration.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iostream>
#include <sstream>

#include "error.hpp"
#include "star.hpp"

namespace {

using namespace tuner;

SimulatedMachine known_machine() {
    SimulatedMachine machine;
    machine.parameters.between.segments = {{65536, 40e-6, 85e-9}, {models::LinkCosts::no_end, 90e-6, 85e-9}};
    machine.parameters.within.segments = {{models::LinkCosts::no_end, 20e-6, 1e-9}};
    machine.send_overhead_seconds = 5e-6;
    machine.receive_overhead_seconds = 8e-6;
    machine.cores = {.count = 2, .dispatch_seconds = 4e-6, .between_seconds = 3e-6};
    machine.burst_bytes = 3000;
    machine.starts_after_barrier = true;
    return machine;
}

std::vector<MeasuredTime> times_of(const SimulatedMachine& machine, const std::vector<Layout>& layouts) {
    std::vector<MeasuredTime> times;
    for (const Layout& layout : layouts) {
        std::vector<std::string> hosts = star().host_names();
        hosts.resize(static_cast<std::size_t>(layout.nodes));
        SimulatedBenchmark benchmark(star(), hosts, layout);
        benchmark.set_machine(machine);
        for (const char* collective : {"bcast", "allgather", "allreduce"}) {
            for (const std::string& algorithm : SimulatedBenchmark::algorithms_of(collective)) {
                for (const std::size_t bytes : {8U, 2048U, 16384U, 262144U}) {
                    const SimulatedBenchmark::Call call = {collective, algorithm, bytes};
                    const SimulatedBenchmark::Time& time = benchmark.time_of(call);
                    if (time.refused.empty()) {
                        times.push_back({layout, call, time.played.seconds});
                    }
                }
            }
        }
    }
    return times;
}

TEST(Calibration, FindsAMachineByItsTimes) {
    const SimulatedMachine truth = known_machine();
    SimulatedMachine wrong = truth;
    wrong.parameters.between.segments.front().latency_seconds *= 2;
    wrong.parameters.between.segments.front().seconds_per_byte *= 0.8;
    wrong.parameters.between.segments.back().seconds_per_byte *= 0.8;
    wrong.cores.dispatch_seconds *= 3;
    Calibration calibration(star(), times_of(truth, {{4, 2}, {8, 1}}));
    EXPECT_GT(calibration.median_error(wrong), 0.15);
    int last_step = 0;
    const SimulatedMachine found = calibration.fitted(wrong, [&](int step, int of, double) {
        EXPECT_GE(step, last_step);
        EXPECT_LE(step, of);
        last_step = step;
    });
    EXPECT_GT(last_step, 10);
    EXPECT_LT(calibration.median_error(found), 0.03);
    EXPECT_NEAR(found.parameters.between.segments.front().seconds_per_byte, 85e-9, 5e-9);
    // and it holds on a layout that was not measured
    Calibration larger(star(), times_of(truth, {{16, 2}}));
    EXPECT_LT(larger.median_error(found), 0.05);
}

TEST(Calibration, StaysWhereItIsRight) {
    const SimulatedMachine truth = known_machine();
    Calibration calibration(star(), times_of(truth, {{3, 2}}));
    const SimulatedMachine found = calibration.fitted(truth, [](int, int, double) {});
    EXPECT_EQ(to_properties(found), to_properties(truth));
    EXPECT_EQ(calibration.median_error(found), 0);
}

TEST(Calibration, NeedsTimesThatCanBeSimulated) {
    EXPECT_THROW(Calibration(star(), {}), Error);
    EXPECT_THROW(Calibration(star(), {{Layout{100, 1}, {"bcast", "binomial", 8}, 1e-3}}), Error);
    EXPECT_THROW(Calibration(star(), {{Layout{6, 1}, {"allgather", "recursive_doubling", 8}, 1e-3}}), Error);
}

// What was measured in a lab; see tests/data/layouts
std::vector<MeasuredTime> lab_times(const std::vector<Layout>& layouts) {
    std::ifstream file(TESTS_DATA "/layouts/lab16.csv");
    std::vector<MeasuredTime> times;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::stringstream fields(line);
        std::array<std::string, 7> of;
        for (std::string& field : of) {
            std::getline(fields, field, ',');
        }
        const Layout layout{std::stoi(of[0]), std::stoi(of[1])};
        if (of[4] != "default" && std::find(layouts.begin(), layouts.end(), layout) != layouts.end()) {
            const std::size_t element = of[2] == "allreduce" ? 4 : 1;
            times.push_back({layout, {of[2], of[4], std::stoul(of[3]), element}, 1e-6 * std::stod(of[6])});
        }
    }
    return times;
}

// What the messages of two ranks, the cost model and guesses say of that lab
SimulatedMachine lab_to_start_from() {
    SimulatedMachine machine;
    machine.parameters.between.segments = {{131072, 31e-6, 78.6e-9},
                                           {models::LinkCosts::no_end, 134e-6, 78.6e-9}};
    machine.parameters.between.gap_seconds = 34e-6;
    machine.parameters.between.opposite_seconds_per_byte = 51e-9;
    machine.parameters.between.free_opposite_bytes = 14480;
    machine.parameters.within.segments = {{131072, 26e-6, 0.295e-9},
                                          {models::LinkCosts::no_end, 62.6e-6, 0.295e-9}};
    machine.parameters.combine_seconds_per_byte = 3e-9;
    machine.parameters.copy_seconds_per_byte = 2.4e-9;
    machine.send_overhead_seconds = 14.5e-6;
    machine.receive_overhead_seconds = 15.6e-6;
    machine.cores = {2, 5e-6, 0.17e-6, 5e-6, 5e-6, 1e-9, 1e-9};
    machine.burst_bytes = 3000;
    machine.starts_after_barrier = true;
    return machine;
}

// By taking the algorithm that it puts first, of what the best measured one takes
double mean_loss(const SimulatedMachine& machine, const Layout& layout) {
    std::vector<std::string> hosts = star().host_names();
    hosts.resize(static_cast<std::size_t>(layout.nodes));
    SimulatedBenchmark benchmark(star(), hosts, layout);
    benchmark.set_machine(machine);
    std::map<std::pair<std::string, std::size_t>, std::vector<std::pair<double, double>>> calls;
    for (const MeasuredTime& time : lab_times({layout})) {
        calls[{time.call.collective, time.call.bytes}].emplace_back(
            benchmark.time_of(time.call).played.seconds, time.seconds);
    }
    double sum = 0;
    for (const auto& [call, times] : calls) {
        double best = times.front().second;
        for (const auto& [simulated, measured] : times) {
            best = std::min(best, measured);
        }
        sum += std::min_element(times.begin(), times.end())->second / best - 1;
    }
    return sum / static_cast<double>(calls.size());
}

// Errors were 10 to 15% with other steps of the search, losses 0.8 to 1.6%
TEST(Truth, ALabOf8RanksPredictsOneOf32) {
    Calibration calibration(star(), lab_times({{4, 2}, {8, 1}}));
    const SimulatedMachine found = calibration.fitted(lab_to_start_from(), [](int, int, double) {});
    EXPECT_LT(calibration.median_error(found), 0.09);
    Calibration larger(star(), lab_times({{16, 2}}));
    EXPECT_LT(larger.median_error(found), 0.2);
    EXPECT_LT(mean_loss(found, {16, 2}), 0.03);
    std::cout << "median error " << larger.median_error(found) << ", mean loss " << mean_loss(found, {16, 2})
              << "\n";
}

}  // namespace

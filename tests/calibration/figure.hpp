// SPDX-License-Identifier: MIT
// One number that says how far results can be trusted, with its interval and its goal.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "statistics.hpp"

namespace calibration {

struct Options {
    std::size_t tunings = 200;
    std::uint64_t seed = 1;
    unsigned threads = 1;
    bool is_quick = false;  // less to simulate, and limits that only a broken program misses
    std::string recorded;   // run directory
};

// How often something happened
struct Count {
    double hits = 0;
    double trials = 0;
    double independent = 0;  // trials that have nothing to do with each other; 0: all of them

    void add(bool is_hit) {
        hits += is_hit;
        ++trials;
    }
    Count& operator+=(const Count& other);
    double share() const { return trials > 0 ? hits / trials : 0; }
    double independent_trials() const { return independent > 0 ? independent : trials; }
    models::Interval interval() const;  // 95% (Wilson 1927)
};

struct Goal {
    double low;  // both included
    double high;
};
inline constexpr Goal at_most(double high) {
    return {0, high};
}
inline constexpr Goal at_least(double low) {
    return {low, 1};
}

struct Row {
    std::string figure;
    std::string noise;
    std::string plan;
    double value;
    models::Interval interval;
    double trials;
    Goal goal;
    bool is_share = true;  // printed as %
    bool passes = false;
};

// Quick: fails only if a program that meets the goal would give this result less than once in 300 000 times.
Row row_of(const std::string& figure, const std::string& noise, const std::string& plan, const Count& count,
           const Goal& goal, const Options& options);
// Of numbers, such as rules in each cell
Row row_of(const std::string& figure, const std::string& noise, const std::string& plan,
           const std::vector<double>& values, const Goal& goal, const Options& options);

std::string table_of(const std::vector<Row>& rows);

// simulate(number) for each of `count` numbers, on all threads; the results are in the order of the numbers
template <class Simulate>
auto simulated(std::size_t count, const Options& options, Simulate simulate) {
    std::vector<decltype(simulate(std::uint64_t{}))> results(count);
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < options.threads; ++i) {
        workers.emplace_back([&] {
            for (std::size_t number = next++; number < count; number = next++) {
                results[number] = simulate(static_cast<std::uint64_t>(number));
            }
        });
    }
    workers.clear();  // waits for them
    return results;
}

template <class Simulate>
Count counted(std::size_t count, const Options& options, Simulate simulate) {
    Count all;
    for (const Count& one : simulated(count, options, simulate)) {
        all += one;
    }
    return all;
}

}  // namespace calibration

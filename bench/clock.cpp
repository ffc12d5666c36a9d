// SPDX-License-Identifier: MIT
#include "clock.hpp"

#include <mpi.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <stdexcept>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace bench {

namespace {

double monotonic_raw() {
    timespec time = {};
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

#if defined(__x86_64__)
std::uint64_t ticks() {
    unsigned processor = 0;
    return __rdtscp(&processor);  // waits for earlier instructions
}

// Invariant: same rate in all power states, and not stopped in any
bool has_invariant_tsc() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);) {
        if (line.starts_with("flags")) {
            return line.find("constant_tsc") != std::string::npos &&
                   line.find("nonstop_tsc") != std::string::npos && line.find("rdtscp") != std::string::npos;
        }
    }
    return false;
}

// By the system's clock over 50 ms: good to about 1 ppm; what is left is drift, which the synchronisation
// corrects.
double measure_seconds_per_tick() {
    const double start = monotonic_raw();
    const std::uint64_t first = ticks();
    double end = start;
    while (end < start + 0.05) {
        end = monotonic_raw();
    }
    return (end - start) / static_cast<double>(ticks() - first);
}
#else
std::uint64_t ticks() {
    return 0;
}
bool has_invariant_tsc() {
    return false;
}
double measure_seconds_per_tick() {
    throw std::invalid_argument("this processor has no time stamp counter; use --clock monotonic_raw");
}
#endif

constexpr struct {
    ClockSource source;
    const char* name;
} names[] = {{ClockSource::tsc, "tsc"},
             {ClockSource::monotonic_raw, "monotonic_raw"},
             {ClockSource::mpi_wtime, "mpi_wtime"}};

}  // namespace

Clock::Clock(ClockSource source, const Skew& skew) : source_(source), skew_(skew) {
    if (source == ClockSource::tsc) {
        seconds_per_tick_ = measure_seconds_per_tick();
        epoch_ = read();
    }
}

double Clock::read() const {
    switch (source_) {
        case ClockSource::tsc:
            return static_cast<double>(ticks()) * seconds_per_tick_;
        case ClockSource::mpi_wtime:
            return MPI_Wtime();
        default:
            return monotonic_raw();
    }
}

void Clock::wait_until(double time, double spin) const {
    const double asleep = time - now() - spin;
    if (asleep > 0) {
        // relative, on the clock that sleeping uses; the difference to this one does not matter over a window
        timespec duration = {};
        duration.tv_sec = static_cast<time_t>(asleep);
        duration.tv_nsec = static_cast<long>(1e9 * (asleep - std::floor(asleep)));
        clock_nanosleep(CLOCK_MONOTONIC, 0, &duration, nullptr);
    }
    while (now() < time) {
    }
}

Clock::Quality Clock::measure_quality() const {
    constexpr int reads = 20000;
    double resolution = 1;
    const double start = now();
    double previous = start;
    for (int i = 0; i < reads; ++i) {
        const double time = now();
        if (time > previous) {
            resolution = std::min(resolution, time - previous);
        }
        previous = time;
    }
    return {resolution, (previous - start) / reads};
}

ClockSource best_clock_source() {
    return has_invariant_tsc() ? ClockSource::tsc : ClockSource::monotonic_raw;
}

const char* to_string(ClockSource source) {
    for (const auto& row : names) {
        if (row.source == source) {
            return row.name;
        }
    }
    return "unknown";
}

ClockSource clock_source_from(const std::string& name) {
    for (const auto& row : names) {
        if (name == row.name) {
            return row.source;
        }
    }
    throw std::invalid_argument("there is no clock '" + name + "'; choose tsc, monotonic_raw or mpi_wtime");
}

}  // namespace bench

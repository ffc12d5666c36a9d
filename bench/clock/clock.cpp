// SPDX-License-Identifier: MIT
#include "clock.hpp"

#include <mpi.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#if defined(__x86_64__)
#include <cpuid.h>
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

// Invariant: the same rate in all power states, and stopped in none. Bits by the processor manuals (AMD
// volume 3, appendix E.4; Intel volume 2A, CPUID).
bool has_invariant_tsc() {
    constexpr struct {
        unsigned leaf;
        unsigned bit_of_edx;
    } needed[] = {{0x80000007, 8},    // invariant TSC
                  {0x80000001, 27}};  // RDTSCP
    for (const auto& feature : needed) {
        unsigned eax = 0;
        unsigned ebx = 0;
        unsigned ecx = 0;
        unsigned edx = 0;
        if (!__get_cpuid(feature.leaf, &eax, &ebx, &ecx, &edx) || !((edx >> feature.bit_of_edx) & 1)) {
            return false;
        }
    }
    return true;
}
#else
std::uint64_t ticks() {
    return 0;
}
bool has_invariant_tsc() {
    return false;
}
#endif

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

// SPDX-License-Identifier: MIT
// The local clock of a rank, in seconds since an epoch of its own.
#pragma once

#include <string>

namespace bench {

enum class ClockSource { tsc, monotonic_raw, mpi_wtime };

// What a test may do to a clock: local = offset + rate * true
struct Skew {
    double offset = 0;
    double rate = 1;
};

class Clock {
  public:
    // `tsc` only where best_clock_source() is that
    explicit Clock(ClockSource source, const Skew& skew = {});

    double now() const { return skew_.offset + skew_.rate * (read() - epoch_); }
    ClockSource source() const { return source_; }

    // Waits until now() is `time`: sleeps, and spins for the last `spin` seconds.
    void wait_until(double time, double spin) const;

    // True if all processes of one running system read the very same clock
    bool is_system_wide() const {
        return source_ == ClockSource::monotonic_raw && skew_.rate == 1 && skew_.offset == 0;
    }

    struct Quality {
        double resolution;  // smallest step seen
        double call_cost;
    };
    Quality measure_quality() const;

  private:
    double read() const;

    ClockSource source_;
    Skew skew_;
    double seconds_per_tick_ = 0;
    double epoch_ = 0;
};

// The time stamp counter where it is invariant, else CLOCK_MONOTONIC_RAW
ClockSource best_clock_source();

const char* to_string(ClockSource source);
ClockSource clock_source_from(const std::string& name);  // throws std::invalid_argument

}  // namespace bench

// SPDX-License-Identifier: MIT
// How all ranks start a repetition together: at one moment of the global clock (a window), or after a
// barrier. A start that is later than the ranks are without any load makes a repetition invalid.
#pragma once

#include <mpi.h>

#include "clock_sync.hpp"

namespace bench {

enum class StartMode {
    automatic,     // window, or dissemination if ranks have to wait for a core
    window,        // all ranks at one moment of the global clock
    barrier,       // after the library's MPI_Barrier
    dissemination  // after a dissemination barrier of our own
};
const char* to_string(StartMode start);

inline constexpr double lead_seconds = 500e-6;  // from the order to the first start of a batch

class CommonStart {
  public:
    CommonStart(MPI_Comm comm, const GlobalClock& clock, StartMode mode, bool may_spin);

    StartMode mode() const { return mode_; }
    bool has_windows() const { return mode_ == StartMode::window; }
    // Collective. Finds how punctual the ranks are without any load; returns the tolerated lateness.
    double calibrate();
    double tolerance() const { return tolerance_; }
    void set_tolerance(double lateness) { tolerance_ = lateness; }
    // Collective. Where the windows of a batch can begin, on the global clock; the same on all ranks.
    double next_window() const;
    // Returns when this rank may start: at the moment of the window, or after the barrier, and so much later
    void wait(double window_start, double delay = 0) const;
    void barrier() const;

  private:
    MPI_Comm comm_;
    const GlobalClock& clock_;
    StartMode mode_;
    double spin_seconds_;
    double tolerance_ = 0;
};

}  // namespace bench

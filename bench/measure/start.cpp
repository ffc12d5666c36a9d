// SPDX-License-Identifier: MIT
#include "start.hpp"

#include <algorithm>
#include <vector>

namespace bench {

namespace {

constexpr double spin_seconds = 250e-6;   // the end of a wait, where a core is free for it: sleep ends late
constexpr int empty_windows = 60;         // of the calibration
constexpr double least_tolerance = 2e-6;  // a late start of less than this is none

}  // namespace

CommonStart::CommonStart(MPI_Comm comm, const GlobalClock& clock, StartMode mode, bool may_spin)
    : comm_(comm), clock_(clock), mode_(mode), spin_seconds_(may_spin ? spin_seconds : 0) {
    if (mode_ == StartMode::automatic) {
        mode_ = may_spin ? StartMode::window : StartMode::dissemination;
    }
}

double CommonStart::calibrate() {
    double start = next_window();
    std::vector<double> late(empty_windows);
    for (double& lateness : late) {
        const double local = clock_.to_local(start);
        clock_.clock().wait_until(local, spin_seconds_);
        lateness = clock_.clock().now() - local;
        start += lead_seconds;
    }
    MPI_Allreduce(MPI_IN_PLACE, late.data(), empty_windows, MPI_DOUBLE, MPI_MAX, comm_);
    // what three quarters of the starts achieve, and half as much again
    std::nth_element(late.begin(), late.begin() + empty_windows * 3 / 4, late.end());
    tolerance_ = std::max(least_tolerance, 1.5 * late[empty_windows * 3 / 4]);
    return tolerance_;
}

double CommonStart::next_window() const {
    double start = clock_.now() + lead_seconds;
    MPI_Bcast(&start, 1, MPI_DOUBLE, 0, comm_);
    return start;
}

void CommonStart::wait(double window_start, double delay) const {
    const Clock& clock = clock_.clock();
    if (has_windows()) {
        clock.wait_until(clock_.to_local(window_start + delay), spin_seconds_);
        return;
    }
    barrier();
    if (delay > 0) {
        clock.wait_until(clock.now() + delay, spin_seconds_);
    }
}

void CommonStart::barrier() const {
    if (mode_ == StartMode::barrier) {
        MPI_Barrier(comm_);
        return;
    }
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(comm_, &rank);
    MPI_Comm_size(comm_, &ranks);
    for (int distance = 1; distance < ranks; distance *= 2) {
        char token = 0;
        MPI_Sendrecv_replace(&token, 1, MPI_CHAR, (rank + distance) % ranks, 11,
                             (rank - distance + ranks) % ranks, 11, comm_, MPI_STATUS_IGNORE);
    }
}

const char* to_string(StartMode start) {
    constexpr const char* names[] = {"automatic", "window", "barrier", "dissemination barrier"};
    return names[static_cast<std::size_t>(start)];
}

}  // namespace bench

// SPDX-License-Identifier: MIT
// One clock for all ranks: the difference of each rank's clock to rank 0's, measured again and again, and the
// line through the measurements in between. After Hoefler, Schneider and Lumsdaine 2008, section 3.
#pragma once

#include <mpi.h>

#include <vector>

#include "clock.hpp"

namespace bench {

enum class SyncMethod {
    tree,    // ceil(log2 P) rounds
    linear,  // P - 1 rounds, for comparison
    shared,  // all ranks read the same clock: nothing to measure
};

// A pair of ranks that synchronise, in one round of a group
struct SyncPair {
    int client;  // measures
    int server;  // answers
};

// The rounds of the tree: a binomial tree over the largest power of two of ranks, then the rest in one round.
std::vector<std::vector<SyncPair>> tree_rounds(int ranks);
std::vector<std::vector<SyncPair>> linear_rounds(int ranks);

// Maps the clock of this rank to the clock of rank 0.
class GlobalClock {
  public:
    GlobalClock(MPI_Comm comm, const Clock& clock, SyncMethod method);

    // Collective. Measures the differences now; returns the number of rounds.
    int synchronize();
    // Collective. Synchronises if the last time is long enough ago that this costs little; says whether it
    // did. Times since then are on other lines afterwards: between two measurements, no longer beyond the
    // last.
    bool synchronize_if_due();

    // Rank 0's time when this rank's clock shows `local`: on the line between the measurements around it, or
    // on the line through the last two.
    double to_global(double local) const;
    double to_local(double global) const;
    double now() const { return to_global(clock_.now()); }
    const Clock& clock() const { return clock_; }

    // Collective. The largest disagreement with rank 0 that a fresh look at each rank finds, and the smallest
    // round trip it saw, half of which bounds what can be seen at all. On rank 0.
    struct Residual {
        double error;
        double round_trip;
    };
    Residual measure_residual();

  private:
    struct Point {
        double local;
        double offset;  // rank 0's clock minus this one
    };
    double offset_at(double local) const;

    MPI_Comm comm_;
    const Clock& clock_;
    SyncMethod method_;
    std::vector<Point> points_;
    double sync_seconds_ = 0;  // that the last synchronisation took
};

// The same clock for all: one running system, and a clock that is the system's
SyncMethod best_sync_method(MPI_Comm comm, const Clock& clock);

}  // namespace bench

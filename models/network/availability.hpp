// SPDX-License-Identifier: MIT
// Overhead of a message and availability of the processor while it is under way, by the post-work-wait method
// of Doerfler and Brightwell, "Measuring MPI Send and Receive Overhead and Application Availability in High
// Performance Network Interfaces" (2006): the work of an iteration grows until it takes longer than the
// transfer.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace models {

struct Availability {
    double transfer_seconds;
    double overhead_seconds;
    double availability;  // 1 - overhead / transfer
};

// Says how much work the next iteration (post, work, wait) does, and when no more are needed
class PostWorkWait {
  public:
    // Thresholds relative to the transfer time: up to `base` an iteration counts as one that the work did not
    // lengthen (the paper: 1.02 to 1.05); beyond `stop` there is enough work (1.5 to 2)
    PostWorkWait(double base, double stop) : base_(base), stop_(stop) {}

    bool is_finished() const { return is_finished_; }
    double work_seconds() const { return work_seconds_; }
    void add(double iteration_seconds);
    // Of a sequence that is finished. `work_seconds`: what the work of the last iterations takes without a
    // message, the shortest of several times
    Availability result(double work_seconds) const;

  private:
    double base_;
    double stop_;
    bool is_finished_ = false;
    double work_seconds_ = 0;
    double transfer_seconds_ = 0;
    std::vector<double> unlengthened_;  // iterations
    std::vector<double> last_;          // iterations with the work that may be enough
};

struct AvailabilityPoint {
    std::size_t bytes;
    double availability;
};

// The largest fall of the availability from one message size to the next, where the library begins to ask
// before it sends (rendezvous) and needs the processor for the answer: the eager limit is between the two.
// Nothing unless it falls by at least 0.3 from above 0.5. `points` are sorted by size.
struct AvailabilityFall {
    AvailabilityPoint before;
    AvailabilityPoint after;
};
std::optional<AvailabilityFall> largest_fall(std::span<const AvailabilityPoint> points);

}  // namespace models

// SPDX-License-Identifier: MIT
// What the routes of a platform have between the nodes of a job.
#pragma once

#include <simgrid/s4u.hpp>
#include <vector>

namespace tuner {

class Routes {
  public:
    // `most_bytes_per_second`: of one message; 0: as its links have
    Routes(const std::vector<simgrid::s4u::Host*>& hosts, double most_bytes_per_second);

    double bytes_per_second() const {
        return bytes_per_second_;
    }                                  // of one message alone, first to second node
    double latency(int from, int to);  // of the links, in seconds

  private:
    double asked_latency(int from, int to) const;

    const std::vector<simgrid::s4u::Host*>& hosts_;
    double bytes_per_second_;
    std::vector<double> latencies_;  // by pair of nodes, below zero: not asked yet; empty: too many
};

}  // namespace tuner

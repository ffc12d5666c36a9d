// SPDX-License-Identifier: MIT
// Cores that all ranks share, because their nodes are one machine. A rank with something to do waits for a
// core, keeps it until it has nothing left to do, and gives it to the one that began to wait last: Linux
// prefers processes that were just woken.
#pragma once

#include <deque>
#include <functional>
#include <vector>

namespace tuner {

class Cores {
  public:
    // What it takes to give a core to a rank, and to wake up a core that had nothing to do
    Cores(int cores, int ranks, double dispatch_seconds, double wake_seconds)
        : idle_(cores),
          dispatch_seconds_(dispatch_seconds),
          wake_seconds_(wake_seconds),
          ranks_(static_cast<std::size_t>(ranks)) {}

    // After what the rank has to do already. `then` is called at the end.
    void run(int rank, double seconds, std::function<void()> then);

  private:
    struct Task {
        double seconds;
        std::function<void()> then;
    };
    struct Rank {
        std::deque<Task> tasks;
        bool is_ready = false;  // has a core, or waits for one
    };

    void next_task(int rank, double seconds_before);

    int idle_;
    double dispatch_seconds_;
    double wake_seconds_;
    std::vector<Rank> ranks_;
    std::vector<int> waiting_;
};

}  // namespace tuner

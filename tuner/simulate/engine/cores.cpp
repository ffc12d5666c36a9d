// SPDX-License-Identifier: MIT
#include "cores.hpp"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

namespace tuner {

void Cores::run(int rank, double seconds, std::function<void()> then) {
    Rank& of = ranks_[static_cast<std::size_t>(rank)];
    of.tasks.push_back({seconds, std::move(then)});
    if (of.is_ready) {
        return;
    }
    of.is_ready = true;
    if (idle_ > 0) {
        --idle_;
        next_task(rank, wake_seconds_ + dispatch_seconds_);
    } else {
        waiting_.push_back(rank);
    }
}

void Cores::next_task(int rank, double seconds_before) {
    Rank& of = ranks_[static_cast<std::size_t>(rank)];
    if (of.tasks.empty()) {
        of.is_ready = false;
        if (waiting_.empty()) {
            ++idle_;
        } else {
            const int next = waiting_.back();
            waiting_.pop_back();
            next_task(next, dispatch_seconds_);
        }
        return;
    }
    Task task = std::move(of.tasks.front());
    of.tasks.pop_front();
    const double end = simgrid::s4u::Engine::get_clock() + seconds_before + task.seconds;
    simgrid::kernel::timer::Timer::set(end, [this, rank, then = std::move(task.then)] {
        then();
        next_task(rank, 0);
    });
}

}  // namespace tuner

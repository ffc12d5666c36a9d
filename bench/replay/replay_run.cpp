// SPDX-License-Identifier: MIT
#include "replay_run.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace bench {

namespace {

// Of a sleep: Linux wakes a process up to 50 us late (prctl(2), PR_SET_TIMERSLACK)
constexpr double spin_after_sleep_seconds = 60e-6;

void wait_until(const Clock& clock, double begin, double seconds, ReplayCompute compute) {
    if (compute != ReplayCompute::none) {
        clock.wait_until(begin + seconds,
                         compute == ReplayCompute::busy ? seconds : spin_after_sleep_seconds);
    }
}

}  // namespace

ReplayCompute replay_compute_named(const std::string& name) {
    for (const auto& [known, compute] : {std::pair{"busy", ReplayCompute::busy},
                                         {"sleep", ReplayCompute::sleep},
                                         {"none", ReplayCompute::none}}) {
        if (name == known) {
            return compute;
        }
    }
    throw std::invalid_argument(fmt::format("--compute: expected busy, sleep or none, got '{}'", name));
}

ReplayRepetition replay_once(ReplayCalls& calls, std::size_t calls_of_program, ReplayCompute compute,
                             const Clock& clock) {
    using What = ReplayCalls::Action::What;
    std::vector<double> own(calls_of_program, 0.0);
    std::vector<double> start_of_slot(calls.slots(), 0.0);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = clock.now();
    double last = begin;  // when the last step ended; a start: when it began
    for (const ReplayCalls::Action& action : calls.actions()) {
        wait_until(clock, last, action.compute_seconds, compute);
        const double before = clock.now();
        calls.run(action);
        last = action.what == What::start ? before : clock.now();
        if (action.what == What::call) {
            own[action.call] += last - before;
        } else if (action.what == What::start) {
            start_of_slot[action.slot] = before;
        } else {
            own[action.call] += last - start_of_slot[action.slot];
        }
    }
    const double seconds = last - begin;

    ReplayRepetition repetition;
    repetition.seconds_of_call.resize(own.size());
    MPI_Reduce(own.data(), repetition.seconds_of_call.data(), static_cast<int>(own.size()), MPI_DOUBLE,
               MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&seconds, &repetition.seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return repetition;
}

}  // namespace bench

// SPDX-License-Identifier: MIT
// What a nonblocking operation costs the processor while it computes: the schemes of Hoefler, Schneider and
// Lumsdaine, "Accurately Measuring Collective Operations at Massive Scale" (2008), section 4. The operation
// is anything with start(), test() and wait().
#pragma once

#include <cstddef>

namespace bench {

struct Computation {
    double seconds = 0;    // between start and wait
    int tests = 0;         // calls of test() in between: at the beginning, at the end, and evenly between
    bool by_work = false;  // so much work as takes these seconds alone; else until they are over
};

// By time: what start, tests and wait took. By work: how much longer all of it took than the same work alone,
// right after it; this also has what interrupts and other threads took.
template <class Operation, class AnyClock, class Work>
double overhead_of(Operation& operation, const Computation& computation, const AnyClock& clock,
                   const Work& work) {
    const int parts = computation.tests > 1 ? computation.tests - 1 : 1;
    const double part_seconds = computation.seconds / parts;
    double overhead = 0;
    const auto timed = [&](auto&& call) {
        const double begin = clock.now();
        call();
        overhead += clock.now() - begin;
    };
    const auto compute = [&] {
        if (computation.by_work) {
            work(part_seconds);
        } else {
            for (const double end = clock.now() + part_seconds; clock.now() < end;) {
            }
        }
    };
    const double begin = clock.now();
    timed([&] { operation.start(); });
    for (int part = 0; part < parts; ++part) {
        if (part < computation.tests) {
            timed([&] { operation.test(); });
        }
        compute();
    }
    if (computation.tests > 1) {
        timed([&] { operation.test(); });
    }
    timed([&] { operation.wait(); });
    if (!computation.by_work) {
        return overhead;
    }
    const double end = clock.now();
    for (int part = 0; part < parts; ++part) {
        compute();
    }
    return (end - begin) - (clock.now() - end);
}

// Tests for a message of so many bytes: one at the beginning and one more for each interval (4.2)
int tests_for(std::size_t bytes, std::size_t interval);

// What was hidden of the time that the operation takes without any computation; 0 to 1
double overlap_of(double blocking_seconds, double overhead_seconds);

}  // namespace bench

// SPDX-License-Identifier: MIT
// A trace of ranks with the test clock (../support/shifted_clock.cpp): the true time of each event is known,
// since lab nodes share a clock beneath it. Says how far aligned times are from it, in parts of what the
// synchronisation promises; and the same with the drift ignored, and of times as they were recorded. usage:
// aligned_clocks PREFIX BEGIN_NS
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>

#include "clock.hpp"
#include "reader.hpp"

namespace {

using namespace tuner::trace;

// What the test clock of a rank showed, on the clock of rank 0, which it leaves alone. Since `begin`: a
// double has not enough digits for the time since boot.
double true_ns_since_begin(int rank, std::int64_t begin_ns, std::int64_t shown_ns) {
    const double drift = rank % 2 == 0 ? -1e-4 : 1e-4;
    return static_cast<double>(shown_ns - begin_ns - rank * std::int64_t{1'000'000'000}) / (1 + drift);
}

void look_at(const std::string& prefix, std::int64_t begin_ns) {
    const Trace trace = read_trace(prefix);
    double error_ns = 0;
    double aligned_ns = 0;
    double aligned = 0;
    double without_drift = 0;
    double recorded_ns = INFINITY;  // of the rank that is least off
    for (const RankTrace& rank : trace.ranks) {
        if (rank.rank() == 0) {
            continue;
        }
        const std::span<const FileSync> syncs(rank.syncs);
        const RankClock clock(syncs, false);
        const RankClock shift_only(syncs.first(1), false);
        const auto promised = static_cast<double>(clock.error_ns());
        double off_ns = 0;
        for (const FileEvent& event : rank.events) {
            const double truth = true_ns_since_begin(rank.rank(), begin_ns, event.time_ns);
            const auto distance = [&](std::int64_t ns) {
                return std::abs(static_cast<double>(ns - begin_ns) - truth);
            };
            const double distance_ns = distance(clock.aligned(event.time_ns));
            aligned_ns = std::max(aligned_ns, distance_ns);
            aligned = std::max(aligned, distance_ns / promised);
            without_drift = std::max(without_drift, distance(shift_only.aligned(event.time_ns)) / promised);
            off_ns = std::max(off_ns, distance(event.time_ns));
        }
        error_ns = std::max(error_ns, promised);
        recorded_ns = std::min(recorded_ns, off_ns);
    }
    std::printf(
        "{\"ranks\": %zu, \"events\": %zu, \"error_ns\": %.0f, \"aligned_ns\": %.0f, \"aligned\": %.3f, "
        "\"without_drift\": %.3f, \"recorded_ns\": %.0f}\n",
        trace.ranks.size(), trace.events(), error_ns, aligned_ns, aligned, without_drift, recorded_ns);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: aligned_clocks PREFIX BEGIN_NS\n");
        return 2;
    }
    try {
        look_at(argv[1], std::atoll(argv[2]));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "Error: %s\n", error.what());
        return 1;
    }
}

// SPDX-License-Identifier: MIT
// What the event collectors cost: calls with recording on and off in turn, in one job. Calls are timed one by
// one, as changeover-bench times them: all ranks start at the same moment (after a barrier, if they share
// cores), and a call lasts until the last rank has finished. And in batches of calls in a row, where they are
// shortest. Prints the time of a call without, and the ratio of the medians, or of neighbouring batches, with
// its 95% interval. Off is recording at rest: the library still counts calls.
//
// usage: MPIR_CVAR_COLL_EVENTS_FILE=... mpiexec -bind-to core -n 2 changeover-event-overhead [SECONDS]
//
// SECONDS are for each line. Ranks that are not bound may share a core for seconds, and then take turns
// instead of working together.
#include <mpi.h>
#include <mpix_coll.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "comparison.hpp"
#include "control_variable.hpp"
#include "measure.hpp"
#include "placement.hpp"
#include "statistics.hpp"

namespace {

// For the benchmark, to record a call is one of two algorithms for it
class Recording : public bench::Library {
  public:
    std::string version() const override { return bench::version_line(); }
    bool can_switch() const override { return true; }
    std::vector<std::string> algorithms(const bench::Pattern&) override { return {"off", "on"}; }
    std::optional<std::string> refusal(const bench::PlannedCall&, const std::string&) override { return {}; }
    MPI_Comm choose(const bench::Pattern&, const std::string& algorithm) override {
        enable_.write(algorithm == "on");
        return MPI_COMM_WORLD;
    }
    std::string last_used(const bench::Pattern&) const override { return {}; }

  private:
    bench::ControlVariable enable_{"MPIR_CVAR_COLL_EVENTS_ENABLE"};
};

struct Seconds {
    std::vector<double> off, on;
};

// One by one; on rank 0
Seconds measure(bench::Measurement& measurement, const bench::Pattern& pattern, std::size_t bytes) {
    const auto results =
        measurement.run({&pattern, bytes, {"off", "on"}, &bench::find_elements("byte", "sum")});
    Seconds seconds;
    for (const bench::CaseResult& result : results) {
        if (result.status != bench::Status::measured) {
            throw std::runtime_error(std::string(pattern.name) + ": " + result.reason);
        }
        for (const bench::Repetition& repetition : result.repetitions) {
            (result.algorithm == "on" ? seconds.on : seconds.off).push_back(repetition.seconds);
        }
    }
    return seconds;
}

// Mean of all ranks
double seconds_in_a_row(const std::function<void()>& call, int calls) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) {
        call();
    }
    double seconds = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return seconds / ranks / calls;
}

Seconds measure_in_a_row(const std::function<void()>& call, double limit_seconds) {
    constexpr double batch_seconds = 2e-3;  // much shorter than what disturbs a machine for a while
    const bench::ControlVariable enable("MPIR_CVAR_COLL_EVENTS_ENABLE");
    enable.write(0);
    const double one = seconds_in_a_row(call, 500);  // the same on all ranks
    const int batch = std::max(10, static_cast<int>(batch_seconds / one));
    const int pairs = std::max(100, static_cast<int>(limit_seconds / (2 * batch * one)));
    Seconds seconds;
    for (int pair = 0; pair < pairs; ++pair) {
        // the order changes from pair to pair
        for (const int on : {pair % 2, 1 - pair % 2}) {
            enable.write(on);
            const double mean = seconds_in_a_row(call, batch);
            enable.write(0);
            (on ? seconds.on : seconds.off).push_back(mean);
        }
    }
    return seconds;
}

// Of samples that have nothing to do with each other
models::Ratio ratio_of(const Seconds& seconds) {
    const models::Summary on = models::summarize(seconds.on);
    const models::Summary off = models::summarize(seconds.off);
    return models::ratio_of_medians(on.median, on.median_interval, off.median, off.median_interval);
}

void print(const char* collective, std::size_t bytes, const char* calls, const Seconds& seconds,
           const models::Ratio& ratio) {
    std::printf("%-10s %7zu %-10s %9.2f %8.4f %9.4f to %.4f %8zu\n", collective, bytes, calls,
                models::summarize(seconds.off).median * 1e6, ratio.ratio, ratio.interval.low,
                ratio.interval.high, seconds.off.size());
    std::fflush(stdout);
}

void measure_size(bench::Measurement& measurement, std::size_t bytes, double limit_seconds, int rank) {
    std::vector<char> in(bytes);
    std::vector<char> out(bytes);
    const int count = static_cast<int>(bytes);
    const std::vector<std::pair<const char*, std::function<void()>>> calls = {
        {"bcast", [&] { MPI_Bcast(in.data(), count, MPI_BYTE, 0, MPI_COMM_WORLD); }},
        {"allreduce",
         [&] { MPI_Allreduce(in.data(), out.data(), count, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD); }},
    };
    for (const auto& [name, call] : calls) {
        const Seconds one_by_one = measure(measurement, *bench::find_pattern(name), bytes);
        const Seconds in_a_row = measure_in_a_row(call, limit_seconds);
        if (rank == 0) {
            print(name, bytes, "one by one", one_by_one, ratio_of(one_by_one));
            print(name, bytes, "in a row", in_a_row,
                  models::median_ratio_of_pairs(in_a_row.on, in_a_row.off));
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (MPIX_Coll_events_write() != MPI_SUCCESS) {
        std::fprintf(
            stderr,
            "Error: no events are recorded; set MPIR_CVAR_COLL_EVENTS_FILE to a path that all processes "
            "can write to\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const double seconds = argc > 1 ? std::atof(argv[1]) : 10;

    {
        const bench::Clock clock(bench::ClockSource::monotonic_raw);
        bench::GlobalClock global(MPI_COMM_WORLD, clock, bench::best_sync_method(MPI_COMM_WORLD, clock));
        global.synchronize();
        const bench::Placement placement = bench::find_placement(MPI_COMM_WORLD);
        bench::Settings settings;
        settings.precision = 5e-4;
        settings.limits = {1000, 1000000, seconds};
        Recording recording;
        bench::Measurement measurement(MPI_COMM_WORLD, global, recording, settings,
                                       placement.most_ranks_on_a_machine <= placement.cores);
        measurement.calibrate();
        if (rank == 0) {
            std::printf("%-10s %7s %-10s %9s %8s %19s %8s\n", "collective", "bytes", "calls", "off us",
                        "ratio", "95% interval", "samples");
        }
        for (const std::size_t bytes : {8, 4096, 65536}) {
            measure_size(measurement, bytes, seconds, rank);
        }
    }
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}

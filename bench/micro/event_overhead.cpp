// SPDX-License-Identifier: MIT
// What the event collectors cost: batches of calls with recording on and off in turn, in one job. Calls are
// timed one by one, with a barrier before each as in the OSU benchmarks, and in a row, where they are
// shortest. Prints the time of a call without, and the ratio of neighbouring batches: median, and the 95%
// interval of the median by order statistics.
//
// usage: MPIR_CVAR_COLL_EVENTS_FILE=... mpiexec -bind-to core -n 2 changeover-event-overhead [SECONDS]
//
// SECONDS are for each line. Ranks that are not bound may share a core for seconds, and then take turns
// instead of working together.
#include <mpi.h>
#include <mpir_coll_query.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "control_variable.hpp"

namespace {

// Mean of all ranks
double seconds_of(const std::function<void()>& call, int calls, bool in_a_row) {
    int ranks = 0;
    double seconds = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    if (in_a_row) {
        const double begin = MPI_Wtime();
        for (int i = 0; i < calls; ++i) {
            call();
        }
        seconds = MPI_Wtime() - begin;
    } else {
        for (int i = 0; i < calls; ++i) {
            MPI_Barrier(MPI_COMM_WORLD);
            const double begin = MPI_Wtime();
            call();
            seconds += MPI_Wtime() - begin;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return seconds / ranks;
}

struct Ratio {
    double median, low, high;
};

// Order statistics: the ranks of the interval come from the binomial distribution, here by its normal limit
Ratio ratio_of(std::vector<double> ratios) {
    std::sort(ratios.begin(), ratios.end());
    const auto n = static_cast<double>(ratios.size());
    const auto half = 0.98 * std::sqrt(n);
    const auto at = [&](double place) {
        return ratios[static_cast<std::size_t>(std::clamp(place, 0.0, n - 1))];
    };
    return {at(n / 2), at(std::floor(n / 2 - half)), at(std::ceil(n / 2 + half))};
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (MPIR_Coll_events_write() != MPI_SUCCESS) {
        std::fprintf(stderr,
                     "Error: nothing is recorded; set MPIR_CVAR_COLL_EVENTS_FILE to a name in a folder that "
                     "all processes can write to\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
    const bench::ControlVariable enable("MPIR_CVAR_COLL_EVENTS_ENABLE");
    constexpr double batch_seconds = 2e-3;  // much shorter than what disturbs a machine for a while

    if (rank == 0) {
        std::printf("%-10s %7s %-10s %9s %8s %19s %8s\n", "collective", "bytes", "calls", "off us", "ratio",
                    "95% interval", "batches");
    }
    for (const int bytes : {8, 4096, 65536}) {
        std::vector<char> in(static_cast<std::size_t>(bytes));
        std::vector<char> out(in.size());
        const std::vector<std::pair<const char*, std::function<void()>>> calls = {
            {"bcast", [&] { MPI_Bcast(in.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }},
            {"allreduce",
             [&] { MPI_Allreduce(in.data(), out.data(), bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD); }},
        };
        for (const auto& [name, call] : calls) {
            for (const bool in_a_row : {false, true}) {
                enable.write(0);
                const double begin = MPI_Wtime();
                seconds_of(call, 500, in_a_row);
                double one = (MPI_Wtime() - begin) / 500;  // with its barrier
                MPI_Bcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
                const int batch = std::max(10, static_cast<int>(batch_seconds / one));
                const int pairs = std::max(100, static_cast<int>(seconds / (2 * batch * one)));
                std::vector<double> ratios;
                std::vector<double> off_seconds;
                for (int pair = 0; pair < pairs; ++pair) {
                    double time[2];
                    // the order changes from pair to pair
                    for (const int on : {pair % 2, 1 - pair % 2}) {
                        enable.write(on);
                        time[on] = seconds_of(call, batch, in_a_row);
                        enable.write(0);
                    }
                    ratios.push_back(time[1] / time[0]);
                    off_seconds.push_back(time[0] / batch);
                }
                const Ratio ratio = ratio_of(ratios);
                if (rank == 0) {
                    std::printf("%-10s %7d %-10s %9.2f %8.4f %9.4f to %.4f %8d\n", name, bytes,
                                in_a_row ? "in a row" : "one by one", ratio_of(off_seconds).median * 1e6,
                                ratio.median, ratio.low, ratio.high, pairs);
                    std::fflush(stdout);
                }
            }
        }
    }
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}

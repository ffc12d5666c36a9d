// SPDX-License-Identifier: MIT
// changeover-bench: measures every algorithm of a collective, or messages between two ranks, in one job, on a
// synchronised clock.
#include <fmt/core.h>
#include <mpi.h>

#include <string_view>

#include "interface.hpp"
#include "list.hpp"
#include "measure_and_print.hpp"
#include "options.hpp"
#include "program.hpp"
#include "serve.hpp"

namespace {

using namespace bench;

std::unique_ptr<Printer> make_printer(const Options& o) {
    const bool with_ranks = o.session.settings.keep_ranks;
    if (o.serve || o.format == "json") {
        return json_printer(with_ranks, o.process_sets);
    }
    return o.format == "csv" ? csv_printer(with_ranks) : table_printer(with_ranks, o.process_sets);
}

// All patterns, or the one that is named
void print_list(const std::string& name, int rank) {
    if (!name.empty() && find_pattern(name) == nullptr) {
        throw std::invalid_argument("there is no collective '" + name + "'; there are: " + pattern_names());
    }
    const std::unique_ptr<Library> library = make_library(MPI_COMM_WORLD);
    for (const Pattern* pattern : patterns()) {
        if (rank == 0 && (name.empty() || name == pattern->name)) {
            fmt::print("{}", list_text(*pattern, *library));
        }
    }
}

void measure(Options& options, int rank) {
    const std::unique_ptr<Printer> printer = make_printer(options);
    Settings& settings = options.session.settings;
    settings.keep_ranks |= !options.process_sets.empty();
    Session session(MPI_COMM_WORLD, options.session);
    // a mistake is found before anything is measured
    const std::vector<GroupSpec> groups =
        options.serve ? std::vector<GroupSpec>() : groups_of(options.request, session);
    if (rank == 0) {
        printer->header(session.header());
    }
    if (options.serve) {
        serve(session, settings, *printer);
    } else {
        measure_and_print(session, options.request, groups, settings, *printer);
    }
    const Retransmits retransmits = read_retransmits(MPI_COMM_WORLD);
    if (rank == 0) {
        printer->end(session.header().retransmits, retransmits);
    }
}

int run(int argc, char** argv) {
    CLI::App app{
        "Measures every algorithm of a collective in one job. Repetitions alternate in random order and "
        "start\n"
        "at the same time on all ranks, on a synchronised clock. Run it under mpiexec, for example\n"
        "  mpiexec -n 16 changeover-bench bcast --sizes 1Ki:512Ki:x2 --algorithms all\n"};
    Options options;
    define(app, options);
    return run_program(app, argc, argv, [&](int rank) {
        interpret(options, argc, argv);
        if (options.list) {
            print_list(options.request.collective, rank);
        } else {
            measure(options, rank);
        }
    });
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    if (argc == 2 && argv[1] == std::string_view("--version")) {
        fmt::print("{}", bench::version_text());
        return 0;
    }
    try {
        bench::choose_interface(bench::interface_choice_of(argc, argv));
        bench::prepare_library();
    } catch (const std::invalid_argument& error) {
        fmt::print(stderr, "Error: {}\n", error.what());
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    const int status = run(argc, argv);
    MPI_T_finalize();
    MPI_Finalize();
    return status;
}

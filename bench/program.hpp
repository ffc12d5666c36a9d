// SPDX-License-Identifier: MIT
// How the MPI programs end: 0 done, 2 wrong use, which all ranks find alike and rank 0 prints. Any other
// error is known to one rank only, so that it ends the job.
#pragma once

#include <fmt/core.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <stdexcept>

namespace bench {

// Parses the command line, then calls body(rank); returns the exit code
template <class Body>
int run_program(CLI::App& app, int argc, char** argv, const Body& body) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        app.parse(argc, argv);
        body(rank);
        return 0;
    } catch (const CLI::ParseError& error) {
        const int code = rank == 0 ? app.exit(error) : error.get_exit_code();
        return code == 0 ? 0 : 2;
    } catch (const std::invalid_argument& error) {
        if (rank == 0) {
            fmt::print(stderr, "Error: {}\n", error.what());
        }
        return 2;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "Error: rank {} has not enough memory; use smaller message sizes\n", rank);
    } catch (const std::exception& error) {
        fmt::print(stderr, "Error: {}\n", error.what());
    }
    MPI_Abort(MPI_COMM_WORLD, 1);  // the other ranks would wait for this one
    return 1;
}

// A program whose run(argc, argv) returns the exit code
template <class Run>
int with_mpi(int argc, char** argv, const Run& run) {
    MPI_Init(&argc, &argv);
    const int status = run(argc, argv);
    MPI_Finalize();
    return status;
}

}  // namespace bench

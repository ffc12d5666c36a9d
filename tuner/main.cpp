// SPDX-License-Identifier: MIT
// changeover: the program. At present only what its own jobs need on other nodes.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "error.hpp"
#include "process.hpp"

namespace {

// Its line of output is read by end_everywhere (job.cpp)
int run_reap(const std::string& token) {
    const tuner::Ending ending = tuner::reap(token);
    fmt::print("ended {}, left {}\n", ending.ended, ending.left);
    if (!ending.problem.empty()) {
        fmt::print(stderr, "Error: {}\n", ending.problem);
    }
    return ending.problem.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Measures the collective algorithms of an MPI library and makes it switch between them"};
    app.require_subcommand(1);
    std::string token;
    CLI::App* reap = app.add_subcommand("reap", "end what a job of changeover left on this machine");
    reap->add_option("token", token, "the job's token, from samples.jsonl of its run")->required();
    try {
        app.parse(argc, argv);
        return run_reap(token);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const tuner::Error& error) {
        fmt::print(stderr, "Error: {}\n", error.what());
        return error.exit_code();
    }
}

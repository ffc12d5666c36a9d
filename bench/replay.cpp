// SPDX-License-Identifier: MIT
// changeover-replay: repeats the collective calls of a recorded program, and computes for the time between
// them; how long do they take here, with this library and this tuning file?
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "library.hpp"
#include "placement.hpp"
#include "program.hpp"
#include "replay_report.hpp"
#include "replay_run.hpp"

namespace {

using namespace bench;

struct Options {
    std::string file;
    int repetitions = 3;
    std::string compute = "busy";
    std::string format = "text";
};

void define(CLI::App& app, Options& options) {
    app.add_option("file", options.file, "the program: changeover trace TRACE --replay FILE writes it")
        ->required();
    app.add_option("--repeat", options.repetitions, "how often the program is repeated")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    app.add_option(
           "--compute", options.compute,
           "what ranks do in the time that they computed: busy (their processor works), sleep (it is left to "
           "others), none (no time passes)")
        ->check(CLI::IsMember({"busy", "sleep", "none"}))
        ->capture_default_str();
    app.add_option("--format", options.format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
}

// What is wrong with a file, or its text
struct Loaded {
    std::string text;
    std::string error;
};

Loaded load(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string reason = in.is_open() ? "it is empty or cannot be read" : std::strerror(errno);
    std::ostringstream all;
    all << in.rdbuf();  // of a folder: nothing
    Loaded loaded{all.str(), {}};
    if (loaded.text.empty()) {
        loaded.error =
            fmt::format("{}: {}; write it with: changeover trace TRACE --replay FILE", file, reason);
        return loaded;
    }
    try {
        const ReplayFile replay(loaded.text, file);
        const ReplayProgram program = replay.program();
        replay.check(program);
    } catch (const std::invalid_argument& error) {
        loaded.error = error.what();
    }
    return loaded;
}

void broadcast(std::string& text) {
    constexpr std::size_t most_at_once = std::size_t{1} << 30;  // counts of MPI are int
    unsigned long long bytes = text.size();
    MPI_Bcast(&bytes, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    text.resize(bytes);
    for (std::size_t at = 0; at < text.size(); at += most_at_once) {
        const int count = static_cast<int>(std::min(most_at_once, text.size() - at));
        MPI_Bcast(text.data() + at, count, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
}

// Rank 0 reads and checks it, so that all ranks find the same
std::string text_of(const std::string& file, int rank) {
    Loaded loaded = rank == 0 ? load(file) : Loaded{};
    broadcast(loaded.error);
    if (!loaded.error.empty()) {
        throw std::invalid_argument(loaded.error);
    }
    broadcast(loaded.text);
    return std::move(loaded.text);
}

void expect_ranks(const ReplayProgram& program, const std::string& file) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != program.ranks) {
        throw std::invalid_argument(
            fmt::format("{} is a program of {} ranks, and this job has {}; start it with mpiexec -n {}", file,
                        program.ranks, ranks, program.ranks));
    }
}

// What is not as it was, and what times have in them. Collective.
std::vector<std::string> notes_on(const ReplayProgram& program) {
    const Placement here = find_placement(MPI_COMM_WORLD);
    std::vector<std::string> list;
    for (std::size_t a = 0; a < program.node_of_rank.size() && list.empty(); ++a) {
        for (std::size_t b = 0; b < a && list.empty(); ++b) {
            const bool is_known = program.node_of_rank[a] >= 0 && program.node_of_rank[b] >= 0;
            const bool was_same = program.node_of_rank[a] == program.node_of_rank[b];
            if (is_known && was_same != (here.node_of_rank[a] == here.node_of_rank[b])) {
                list.push_back(fmt::format(
                    "ranks {} and {} were {} when the program was recorded, and are {} now", b, a,
                    was_same ? "on one node" : "on two nodes", was_same ? "on two nodes" : "on one node"));
            }
        }
    }
    if (const char* tuning_file = std::getenv("MPIR_CVAR_COLL_TUNING_FILE")) {
        list.push_back(fmt::format("MPIR_CVAR_COLL_TUNING_FILE is {}", tuning_file));
    }
    if (here.most_ranks_on_a_machine > here.cores) {
        list.push_back(fmt::format("{} ranks share {} core(s): times include waiting for a core",
                                   here.most_ranks_on_a_machine, here.cores));
    }
    return list;
}

void replay(const Options& options, int rank) {
    const ReplayFile file(text_of(options.file, rank), options.file);
    ReplayReport report;
    report.file = options.file;
    report.program = file.program();
    const std::string version = version_line();
    report.library = version.substr(0, version.find(';'));
    report.compute = options.compute;
    expect_ranks(report.program, options.file);
    report.notes = notes_on(report.program);
    ReplayCalls calls(report.program, file.steps(report.program, rank));
    const Clock clock(best_clock_source());
    for (int i = 0; i < options.repetitions; ++i) {
        report.repetitions.push_back(
            replay_once(calls, report.program.calls.size(), replay_compute_named(options.compute), clock));
    }
    if (rank == 0) {
        fmt::print("{}", options.format == "json" ? replay_json(report) : replay_text(report));
    }
}

int run(int argc, char** argv) {
    CLI::App app{
        "Repeats the collective calls of a recorded program and computes for the time between them. Record\n"
        "the program with the patched MPICH, and replay it without a tuning file, and with one:\n"
        "  MPIR_CVAR_COLL_EVENTS_FILE=/home/me/t mpiexec -n 16 ./app\n"
        "  changeover trace /home/me/t --replay app.jsonl\n"
        "  MPIR_CVAR_COLL_TUNING_FILE=none mpiexec -n 16 changeover-replay app.jsonl\n"
        "  MPIR_CVAR_COLL_TUNING_FILE=tuned.json mpiexec -n 16 changeover-replay app.jsonl\n"
        "The ratio is the replayed time (median of the repetitions) to the recorded one. What the record\n"
        "does not hold is approximated, and named in the output.\n"};
    Options options;
    define(app, options);
    return run_program(app, argc, argv, [&](int rank) { replay(options, rank); });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::with_mpi(argc, argv, run);
}

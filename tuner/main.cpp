// SPDX-License-Identifier: MIT
// changeover: the program. Its commands, one row each, and the one place where errors are printed.
#include <csignal>
#include <sstream>

#include "commands.hpp"
#include "error.hpp"
#include "machine.hpp"
#include "output.hpp"
#include "process.hpp"

namespace {

using namespace tuner::commands;

constexpr const char* purpose =
    "Measures the collective algorithms of an MPI library on this machine or cluster, finds the message "
    "sizes\n"
    "at which one should take over from the next, and writes a configuration that makes the library do "
    "so.\n\n"
    "  changeover tune                             tune this machine with the quick plan\n"
    "  changeover tune --cluster C.json --plan standard --run DIR\n"
    "  changeover emit --run DIR --format env -o tuned.sh";

constexpr struct {
    const char* name;
    const char* purpose;
    void (*define)(CLI::App& command, Invocation& invocation);
} commands[] = {
    {"tune", "Measure, decide, verify and write a tuned configuration", define_tune},
    {"run", "Measure only", define_run},
    {"fit", "Print the parameters of the cost model and its errors at held-out sizes", define_fit},
    {"decide", "Decide rules from what was measured", define_decide},
    {"verify", "Compare the rules with the library's default at held-out sizes", define_verify},
    {"knobs", "Try values of the library's variables, beside its algorithms", define_knobs},
    {"audit",
     "Compare each call with the same result from other calls; exit code 3 if the rules make one slower",
     define_audit},
    {"summary", "Print the verified gains of a run", define_summary},
    {"report", "Write a run as an HTML page, a summary or a figure", define_report},
    {"emit", "Write the rules in a format that an MPI library reads", define_emit},
    {"install-config", "Put verified rules where all jobs read them, or roll back", define_install_config},
    {"explain", "Print which algorithm a call uses, by which rule, and why", define_explain},
    {"lint", "Check a configuration, a tuning file or a selection file of MPICH", define_lint},
    {"check", "Check whether the rules still hold; exit code 3 if some do not", define_check},
    {"compare", "Compare two runs, or two networks of a run", define_compare},
    {"combine", "Combine several runs: medians, and the spread between runs", define_combine},
    {"distributions", "Print how the samples of each case are distributed: tails, outliers, log-normal",
     define_distributions},
    {"predict", "Predict times on layouts and networks that were not measured", define_predict},
    {"platform", "Write a platform file of a machine to simulate, and its cluster file", define_platform},
    {"what-if", "Compare platforms by the calls of a program: total time, and where it goes", define_what_if},
    {"trace", "Analyse what the library's event collectors recorded inside collectives", define_trace},
    {"init", "Write a cluster file from what is there: hosts, Slurm, PBS, or this machine", define_init},
    {"facts", "Print what this node has, as JSON; init and doctor ask each node so", define_facts},
    {"doctor", "Check a cluster before a long run; exit code 3 if something was found", define_doctor},
    {"env", "Print what was found: machine, MPI library, networks, layouts", define_env},
    {"reap", "Kill leftover processes of a job of changeover on this machine", define_reap},
};

void stop_on_signal(int) {
    tuner::stop_requested = true;
}

// A reader that goes away and a file that may not grow are errors of a write, which has its own handling
void set_signals() {
    std::signal(SIGINT, stop_on_signal);
    std::signal(SIGTERM, stop_on_signal);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

int run(int argc, char** argv) {
    CLI::App app{purpose};
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("changeover ") + tuner::program_version);
    Invocation invocation{{argv, argv + argc}};
    for (const auto& row : commands) {
        row.define(*app.add_subcommand(row.name, row.purpose), invocation);
    }
    try {
        app.parse(argc, argv);
        return invocation.exit_code;
    } catch (const CLI::ParseError& error) {  // or --help, --version
        std::ostringstream data;
        std::ostringstream notes;
        const int status = app.exit(error, data, notes);
        tuner::write_data(data.str());
        tuner::write_note(notes.str());
        return status == 0 ? 0 : 2;
    }
}

}  // namespace

int main(int argc, char** argv) {
    tuner::reserve_standard_streams();
    set_signals();
    try {
        const int status = run(argc, argv);
        tuner::write_data("");  // all that was printed has arrived
        return status;
    } catch (const tuner::Error& error) {
        tuner::print_note("Error: {}\n", error.what());
        return error.exit_code();
    } catch (const std::exception& error) {
        tuner::print_note("Error: {}\n", error.what());
        return 1;
    }
}

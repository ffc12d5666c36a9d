// SPDX-License-Identifier: MIT
// changeover: the program. Its commands with their options, and the one place where errors are printed.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <memory>

#include "combine.hpp"
#include "compare.hpp"
#include "distributions.hpp"
#include "emit.hpp"
#include "error.hpp"
#include "explain.hpp"
#include "files.hpp"
#include "fit_quality.hpp"
#include "lint.hpp"
#include "loaded.hpp"
#include "machine.hpp"
#include "process.hpp"
#include "report.hpp"
#include "trace_step.hpp"
#include "trace_page.hpp"
#include "tune.hpp"
#include "units.hpp"
#include "what_if.hpp"

namespace {

using tuner::TuneOptions;

// Each adds a command; `status` becomes the exit code.
struct Commands {
    CLI::App& app;
    int& status;
    std::vector<std::string> command_line;

    void add_folder(CLI::App* command, std::string& folder) const {
        command->add_option("--run", folder, "run directory")->capture_default_str();
    }

    void add_measuring(const char* name, const char* what, int (*step)(const TuneOptions&)) const {
        struct Options : TuneOptions {
            std::string budget;
            bool dry = false;
        };
        const auto o = std::make_shared<Options>();
        o->command_line = command_line;
        CLI::App* command = app.add_subcommand(name, what);
        command->add_option("--run", o->folder, "run directory; one that exists is resumed")
            ->capture_default_str();
        command->add_option(
            "--cluster", o->cluster_file,
            "cluster file (default: the allocation of Slurm, else this machine with faked nodes)");
        command->add_option("--plan", o->plan, "quick, standard, full, network, or a file")
            ->capture_default_str();
        command->add_option("--collectives", o->collectives, "only these, with commas (default: the plan's)")
            ->delimiter(',');
        command->add_option("--budget", o->budget, "time for all of it, such as 10m");
        command->add_option("--seed", o->seed, "of the order of repetitions")->capture_default_str();
        command->add_flag("--exhaustive", o->exhaustive, "every algorithm at every size of a fine grid");
        command->add_option("--profile", o->profile,
                            "trace of a program: tune only its collectives, sizes and layouts");
        command->add_flag("--dry-run", o->dry, "only print the command lines");
        command->callback([this, o, step] {
            if (!o->budget.empty()) {
                o->budget_seconds = tuner::parse_seconds(o->budget);
            }
            status = o->dry ? tuner::dry_run(*o) : step(*o);
        });
    }

    void add_step(const char* name, const char* what, int (*step)(const std::string&)) const {
        const auto folder = std::make_shared<std::string>(TuneOptions{}.folder);
        CLI::App* command = app.add_subcommand(name, what);
        add_folder(command, *folder);
        command->callback([this, folder, step] { status = step(*folder); });
    }

    void add_verify() const {
        const auto folder = std::make_shared<std::string>(TuneOptions{}.folder);
        const auto loaded = std::make_shared<bool>(false);
        CLI::App* command = app.add_subcommand("verify", "prove the rules against the default");
        add_folder(command, *folder);
        command->add_flag("--loaded", *loaded,
                          "of a tuned run: emit its rules, let the library read them, and compare jobs with "
                          "and without them; exit code 3 if something got slower");
        command->callback([this, folder, loaded] {
            status = *loaded ? tuner::loaded_step(*folder) : tuner::verify_step(*folder);
        });
    }

    void add_check() const {
        const auto folder = std::make_shared<std::string>(TuneOptions{}.folder);
        const auto retune = std::make_shared<bool>(false);
        CLI::App* command =
            app.add_subcommand("check", "do the rules still hold? exit code 3 if some do not");
        add_folder(command, *folder);
        command->add_flag("--retune", *retune, "measure stale ones anew");
        command->callback([this, folder, retune] { status = tuner::check_step(*folder, *retune); });
    }

    void add_emit() const {
        struct Options {
            std::string folder = TuneOptions{}.folder;
            std::string format = "env";
            std::string file;
            std::string layout;
            tuner::EmitOptions emit;
        };
        const auto o = std::make_shared<Options>();
        CLI::App* command = app.add_subcommand("emit", "write what makes an MPI library use the rules");
        add_folder(command, o->folder);
        std::string formats;
        for (const tuner::EmitFormat& format : tuner::emit_formats()) {
            formats += fmt::format("\n  {}: {}", format.name, format.purpose);
        }
        command->add_option("--format", o->format, "one of:" + formats)->capture_default_str();
        command->add_option("-o,--output", o->file, "file to write (default: standard output)");
        command->add_option("--network", o->emit.network, "of the rules, if there are several");
        command->add_option("--layout", o->layout,
                            "nodes x ranks per node, such as 4x2, if there are several");
        CLI::Option* rules_file = command->add_option(
            "--stock-file,--rules-file", o->emit.rules_file,
            "module: the file that mpich-stock wrote; openmpi-params: that openmpi wrote");
        command->add_option("--tuning-file", o->emit.tuning_file, "module: the file that mpich wrote")
            ->excludes(rules_file);
        command->add_flag("--assume-commutative", o->emit.assume_commutative,
                          "openmpi: no program has operations that do not commute");
        command->callback([o] {
            if (!o->layout.empty()) {
                o->emit.layout = tuner::parse_layout(o->layout);
            }
            const tuner::Config config = tuner::read_config(o->folder + "/config.json");
            const std::string text = tuner::find_format(o->format).emit(config, o->emit);
            if (o->file.empty()) {
                fmt::print("{}", text);
            } else {
                tuner::write_file_atomically(o->file, text);
            }
        });
    }

    void add_explain() const {
        struct Options {
            std::string file;
            tuner::ExplainedCall question;
            std::string bytes;
            bool json = false;
        };
        const auto o = std::make_shared<Options>();
        CLI::App* command =
            app.add_subcommand("explain", "which algorithm a call gets, by which rule, and why");
        command->add_option("config", o->file, "config.json of a run")->required();
        command->add_option("collective", o->question.collective)->required();
        command->add_option("--nodes", o->question.layout.nodes)->required();
        command->add_option("--ppn", o->question.layout.ppn, "processes per node")->required();
        command->add_option("--bytes", o->bytes, "message size, such as 64Ki")->required();
        command->add_option("--network", o->question.network, "one of several (default: each)");
        command->add_flag("--json", o->json, "for programs");
        command->callback([o] {
            o->question.bytes = tuner::parse_bytes(o->bytes);
            const tuner::Config config = tuner::read_config(o->file);
            tuner::Json list = tuner::Json::array();
            for (const tuner::Explanation& explanation : tuner::explain_all(config, o->question)) {
                list.push_back(tuner::to_json(explanation));
                fmt::print("{}", o->json ? "" : tuner::to_text(explanation) + "\n");
            }
            if (o->json) {
                fmt::print("{}\n", (list.size() == 1 ? list.front() : list).dump(2));
            }
        });
    }

    void add_lint() const {
        const auto file = std::make_shared<std::string>();
        CLI::App* command =
            app.add_subcommand("lint", "what is wrong or missing in a configuration or a tuning file");
        command->add_option("file", *file, "config.json of a run, or a tuning file")->required();
        command->callback([this, file] {
            const std::vector<tuner::Finding> findings = tuner::lint_file(*file);
            for (const tuner::Finding& finding : findings) {
                fmt::print("{}\n", tuner::to_text(finding));
            }
            fmt::print("{} finding{}\n", findings.size(), findings.size() == 1 ? "" : "s");
            status = tuner::exit_code(findings);
        });
    }

    void add_compare() const {
        struct Options : tuner::CompareOptions {
            std::string format = "text";
        };
        const auto o = std::make_shared<Options>();
        CLI::App* command = app.add_subcommand("compare", "two runs, or two networks of a run, side by side");
        command->add_option("a", o->a, "a run directory; with --run, a network of that run")->required();
        command->add_option("b", o->b, "the other one")->required();
        command->add_option("--run", o->run, "run directory whose networks are compared");
        command
            ->add_option("--network", o->networks,
                         "of two runs: one name for both, or two (default: those with the same name)")
            ->delimiter(',');
        command->add_option("--margin", o->margin, "a smaller difference is no win")->capture_default_str();
        command->add_option("--format", o->format)
            ->check(CLI::IsMember({"text", "json"}))
            ->capture_default_str();
        command->callback([o] {
            const tuner::Comparisons comparisons = tuner::compare(*o);
            fmt::print("{}", o->format == "json" ? tuner::to_json(comparisons).dump(1) + "\n"
                                                 : tuner::to_text(comparisons));
        });
    }

    void add_combine() const {
        struct Options {
            std::vector<std::string> runs;
            std::string folder;
            std::string format = "text";
        };
        const auto o = std::make_shared<Options>();
        CLI::App* command =
            app.add_subcommand("combine", "several runs as one: medians with the spread between runs");
        command->add_option("runs", o->runs, "run directories, with the same plan")->required();
        command->add_option("-o,--output", o->folder,
                            "also write a run, whose samples are the medians of the runs");
        command->add_option("--format", o->format)
            ->check(CLI::IsMember({"text", "json"}))
            ->capture_default_str();
        command->callback([this, o] {
            const tuner::Combination combination = tuner::combine_runs(o->runs);
            if (!o->folder.empty()) {
                tuner::write_run(combination, o->folder, command_line);
            }
            fmt::print("{}", o->format == "json" ? tuner::to_json(combination).dump(1) + "\n"
                                                 : tuner::to_text(combination));
        });
    }

    void add_distributions() const {
        struct Options : tuner::DistributionOptions {
            std::string format = "text";
        };
        const auto o = std::make_shared<Options>();
        o->folder = TuneOptions{}.folder;
        CLI::App* command = app.add_subcommand(
            "distributions", "how the repetitions of each case are distributed: tails, outliers, log-normal");
        add_folder(command, o->folder);
        command->add_option("--case", o->wanted, "only cases whose name contains this, such as ping_pong");
        command->add_option("--factor", o->outlier_factor, "outliers are above so many times the median")
            ->capture_default_str();
        command->add_option("--format", o->format, "json has the histograms, too")
            ->check(CLI::IsMember({"text", "json"}))
            ->capture_default_str();
        command->callback([o] {
            const auto distributions = tuner::distributions_of(*o);
            fmt::print("{}", o->format == "json"
                                 ? tuner::to_json(distributions, o->outlier_factor).dump(1) + "\n"
                                 : tuner::to_text(distributions, o->outlier_factor));
        });
    }

    void add_predict() const {
        const auto o = std::make_shared<tuner::WhatIf>();
        CLI::App* command =
            app.add_subcommand("predict", "costs by the model: layouts and networks that were not measured");
        add_folder(command, o->folder);
        command->add_option("--network", o->network, "if there are several");
        command->add_option("--collective", o->collective)->capture_default_str();
        command->add_option("--layout", o->layout,
                            "nodes x ranks per node, such as 64x8 (default: those measured)");
        command->add_option("--bytes", o->bytes, "message sizes")->delimiter(',')->capture_default_str();
        command
            ->add_option("--set", o->settings,
                         "another parameter, such as between.latency=90us or between.byte=1ns")
            ->delimiter(',');
        command->callback([o] { tuner::print_what_if(*o); });
    }

    void add_report() const {
        const auto o = std::make_shared<tuner::report::ReportOptions>();
        o->folder = TuneOptions{}.folder;
        CLI::App* command = app.add_subcommand("report", "a run as a page to read, keep and send");
        add_folder(command, o->folder);
        command->add_option("--against", o->against,
                            "another run to compare it with (default: its networks)");
        command->add_option("--format", o->format, "html, md (a summary), svg or png (one figure)")
            ->capture_default_str();
        command->add_option("--figure", o->figure, "svg, png: its name; without one they are listed");
        command->add_option("-o,--output", o->file,
                            "file to write (default: html: report.html of the run, else standard output)");
        const auto traces = std::make_shared<std::vector<std::string>>();
        const auto network = std::make_shared<std::string>();
        command->add_option(
            "--trace", *traces,
            "html: also what is inside of the calls of this trace (see trace); may be repeated");
        command->add_option("--network", *network,
                            "that the traces were recorded on, if the run has several");
        command->callback([o, traces, network] {
            if (!traces->empty()) {
                o->others.push_back(tuner::trace::report_section(*traces, o->folder, *network));
            }
            tuner::report::write_report(*o);
        });
    }

    void add_trace() const {
        const auto o = std::make_shared<tuner::trace::TraceOptions>();
        CLI::App* command = app.add_subcommand(
            "trace", "inside of collectives: what the library's event collectors recorded");
        command->add_option("prefix", o->prefix, "what MPIR_CVAR_COLL_EVENTS_FILE was set to");
        command->add_option("--only", o->only,
                            "calls with this in their name, such as allgather/ring or 64Ki");
        command
            ->add_option("--compare", o->compared,
                         "two algorithms of the trace; without a prefix, two traces")
            ->expected(2);
        command->add_option("--run", o->run, "run whose model and rules the calls are held against");
        command->add_option("--network", o->network, "of that run, if there are several");
        command->add_option("--format", o->format)
            ->check(CLI::IsMember({"text", "json"}))
            ->capture_default_str();
        command->add_option("--figure", o->figure, "as SVG: timemap, messages (one call), waits")
            ->check(CLI::IsMember({"timemap", "messages", "waits"}));
        command->add_option("-o,--output", o->file, "file to write (default: standard output)");
        command->add_option("--html", o->html, "also write a page with all figures");
        command->add_option("--chrome", o->chrome, "also write Chrome's trace-event format, for Perfetto");
        command->callback([o] { tuner::trace::print_trace(*o); });
    }

    void add_env() const {
        const auto file = std::make_shared<std::string>();
        CLI::App* command =
            app.add_subcommand("env", "what was found: machine, MPI library, networks, layouts");
        command->add_option("--cluster", *file,
                            "cluster file (default: the allocation of Slurm, else this machine)");
        command->callback([this, file] { status = tuner::environment_step(*file); });
    }

    void add_reap() const {
        const auto token = std::make_shared<std::string>();
        CLI::App* command = app.add_subcommand("reap", "end what a job of changeover left on this machine");
        command->add_option("token", *token, "the job's token, from samples.jsonl of its run")->required();
        command->callback([this, token] {
            // read by end_everywhere (job.cpp)
            const tuner::Ending ending = tuner::reap(*token);
            fmt::print("ended {}, left {}\n", ending.ended, ending.left);
            if (!ending.problem.empty()) {
                fmt::print(stderr, "Error: {}\n", ending.problem);
                status = 1;
            }
        });
    }
};

void stop_on_signal(int) {
    tuner::stop_requested = true;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Measures the collective algorithms of an MPI library on the machine at hand, finds where one "
        "should\n"
        "take over from the next, and writes what makes the library switch there.\n\n"
        "  changeover tune                             tune this machine with the quick plan\n"
        "  changeover tune --cluster C.json --plan standard --run DIR\n"
        "  changeover emit --run DIR --format env -o tuned.sh"};
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("changeover ") + tuner::program_version);
    int status = 0;
    const Commands commands{app, status, {argv, argv + argc}};
    commands.add_measuring("tune", "measure, decide, verify, write the configuration, tell what was gained",
                           tuner::tune);
    commands.add_measuring("run", "only measure", tuner::measure_step);
    commands.add_step("fit", "parameters of the cost model, and how far it can be trusted", tuner::print_fit);
    commands.add_step("decide", "rules from what was measured", tuner::decide_step);
    commands.add_verify();
    commands.add_step("summary", "what was gained", tuner::summary_step);
    commands.add_report();
    commands.add_emit();
    commands.add_explain();
    commands.add_lint();
    commands.add_check();
    commands.add_compare();
    commands.add_combine();
    commands.add_distributions();
    commands.add_predict();
    commands.add_trace();
    commands.add_env();
    commands.add_reap();

    std::signal(SIGINT, stop_on_signal);
    std::signal(SIGTERM, stop_on_signal);
    std::signal(SIGPIPE, SIG_IGN);
    try {
        app.parse(argc, argv);
        return status;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const tuner::Error& error) {
        fmt::print(stderr, "Error: {}\n", error.what());
        return error.exit_code();
    } catch (const std::exception& error) {
        fmt::print(stderr, "Error: {}\n", error.what());
        return 1;
    }
}

// SPDX-License-Identifier: MIT
// All steps of a tuning: measure, decide, verify, write the configuration, print what was gained.
#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "profile.hpp"
#include "report.hpp"
#include "run_options.hpp"
#include "run_summary.hpp"
#include "stale.hpp"
#include "verifying.hpp"

namespace tuner::commands {

namespace {

// What was gained for the calls of the program, weighted by their time; on each network of the run
void print_gains(const TuneOptions& options, const Config& config) {
    if (options.profile.empty()) {
        return;
    }
    const trace::LoadedTrace profile(options.profile);
    for (const std::string& network : networks_of(config)) {
        trace::KnownRun run(options.folder, network);
        fmt::print("\nFor the calls of {} on {}:\n{}", options.profile, network,
                   trace::to_text(trace::gains_of(profile.analysis, run), profile.analysis.program_seconds));
    }
}

void tune(const TuneOptions& options) {
    const Deadline start = Clock::now();
    OpenRun run = open_run(options);
    if (std::filesystem::exists(run.files.verification())) {
        if (!stale_cells(run.data).empty()) {
            retune(run);  // which was interrupted
        } else {
            fmt::print(stderr, "The run in {} is complete; to measure again, name another --run\n",
                       options.folder);
        }
        print_summary(options.folder);
        return;
    }
    if (!run.cluster.note().empty()) {
        fmt::print(stderr, "{}\n", run.cluster.note());
    }
    Progress progress;
    measure(run, progress);
    if (run.plan.collectives.empty()) {  // nothing to decide
        progress.clear();
        report::write_report({options.folder});
        print_summary(options.folder);
        return;
    }
    const Config config = decided_config(run.data, run.plan, run.files);
    write_config(run.files, config);
    write_verified(run.files, config, verify_rules(run, progress, config, end_of_budget(run.plan, start)));
    progress.clear();
    print_summary(options.folder);
    print_gains(options, read_config(run.files.config()));
    report::write_report({options.folder});
}

void run_only(const TuneOptions& options) {
    OpenRun run = open_run(options);
    Progress progress;
    const CampaignReport report = measure(run, progress);
    progress.clear();
    fmt::print("{} cases measured; next: changeover {} --run {}\n", report.cases,
               run.plan.collectives.empty() ? "report" : "decide", options.folder);
}

void define_measuring(CLI::App& command, Invocation& invocation, void (*step)(const TuneOptions&)) {
    const auto o = std::make_shared<TuneOptions>();
    add_tune_options(command, *o);
    command.callback([o, step, &invocation] {
        o->command_line = invocation.command_line;
        o->dry_run ? print_dry_run(*o) : step(*o);
    });
}

}  // namespace

void define_tune(CLI::App& command, Invocation& invocation) {
    command.footer("If it is interrupted, run the same command again to resume.");
    define_measuring(command, invocation, tune);
}

void define_run(CLI::App& command, Invocation& invocation) {
    define_measuring(command, invocation, run_only);
}

}  // namespace tuner::commands

// SPDX-License-Identifier: MIT
// All steps of a tuning: measure, decide, verify, write the configuration, print what was gained.
#include <filesystem>
#include <memory>

#include "command.hpp"
#include "commit.hpp"
#include "output.hpp"
#include "profile.hpp"
#include "proofs.hpp"
#include "report.hpp"
#include "run_options.hpp"
#include "run_state.hpp"
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
        print_data("\nFor the calls of {} on {}:\n{}", options.profile, network,
                   trace::to_text(trace::gains_of(profile.analysis, run), profile.analysis.program_seconds));
    }
}

// Of a run whose rules are verified: an interrupted retuning, or a report, may be missing
void finish(const TuneOptions& options, OpenRun& run, RunState state) {
    if (state == RunState::stale) {
        retune(run);
    } else {
        print_note("The run in {} is complete; to measure again, name another --run\n", options.folder);
    }
    print_summary(options.folder);
    if (!std::filesystem::exists(run.files.report())) {
        report::write_report({options.folder});
    }
}

// A verified configuration stays until the next one is verified.
void write_unless_verified(const RunFiles& files, const Config& config) {
    const std::optional<Config> old = config_of(files);
    if (!old || !old->verified) {
        write_decided(files, config);
    } else if (!has_verified_rules(*old)) {
        print_note("Note: the rules in {} were edited after they were verified; they will be replaced\n",
                   files.config());
    }
}

void decide_and_verify(OpenRun& run, Progress& progress, Deadline start) {
    const Config config = decided_config(run.data, run.plan, run.files);
    write_unless_verified(run.files, config);
    commit_verified(run.files, config, verify_rules(run, progress, config, end_of_budget(run.plan, start)));
    if (!stale_cells(run.data).empty()) {
        mark_retuned(run.journal);  // all cells were measured, decided and verified
    }
}

void tune(const TuneOptions& options) {
    const Deadline start = Clock::now();
    OpenRun run = open_run(options);
    const RunState state = run_state(run.files, run.data);
    if (state == RunState::complete || state == RunState::stale) {
        finish(options, run, state);
        return;
    }
    if (!run.cluster.note().empty()) {
        print_note("{}\n", run.cluster.note());
    }
    Progress progress;
    measure(run, progress);
    if (!run.plan.collectives.empty()) {  // else there is nothing to decide
        decide_and_verify(run, progress, start);
    }
    progress.clear();
    print_summary(options.folder);
    if (!run.plan.collectives.empty()) {
        print_gains(options, read_config(run.files.config()));
    }
    report::write_report({options.folder});
}

void run_only(const TuneOptions& options) {
    OpenRun run = open_run(options);
    Progress progress;
    const CampaignReport report = measure(run, progress);
    progress.clear();
    print_data("{} cases measured; next: changeover {} --run {}\n", report.cases,
               run.plan.collectives.empty() ? "report" : "decide", shell_quoted(options.folder));
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

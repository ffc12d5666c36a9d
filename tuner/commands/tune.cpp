// SPDX-License-Identifier: MIT
// All steps of a tuning: measure, decide, verify, write the configuration, print what was gained.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "command.hpp"
#include "commands.hpp"
#include "commit.hpp"
#include "error.hpp"
#include "estimate_text.hpp"
#include "output.hpp"
#include "profile.hpp"
#include "proofs.hpp"
#include "report.hpp"
#include "run_options.hpp"
#include "run_state.hpp"
#include "run_summary.hpp"
#include "stale.hpp"
#include "summary.hpp"
#include "units.hpp"
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

std::string remedy_for_no_result(const TuneOptions& options, const OpenRun& run, const Config& config) {
    const std::string folder = shell_quoted(options.folder);
    if (count_not_measured(config.notes) == 0) {
        return "measure again in another run directory when the clocks agree; they are checked by: "
               "changeover doctor";
    }
    const double limit = budget_of(run.data, run.plan.budget_seconds).seconds;
    return limit > 0
               ? fmt::format("try: changeover tune --run {} --budget {:.0f}s", folder, std::ceil(2 * limit))
               : "try: changeover verify --run " + folder;
}

// Without a rule, because nothing was found out: that is no result
void require_result(const TuneOptions& options, const OpenRun& run) {
    const Config config = read_config(run.files.config());
    if (config.rules.empty() && !why_not_determined(config.notes).empty()) {
        throw failure(fmt::format("the run has no result: {}; {}", reason_for_no_rules(config),
                                  remedy_for_no_result(options, run, config)));
    }
}

void try_knobs_of_plan(OpenRun& run, Progress& progress) {
    if (run.plan.knobs.empty() || run.plan.collectives.empty()) {
        return;
    }
    const std::vector<KnobResult> results = prove_knobs(run, progress, run.plan.knobs);
    progress.clear();
    print_data("{}\n", to_text(results));
}

// Of a run whose rules are verified: an interrupted retuning, or a report, may be missing
void finish(const TuneOptions& options, OpenRun& run, RunState state) {
    if (state == RunState::stale) {
        retune(run);
    } else if (!run.plan.knobs.empty() && !were_knobs_proven(run)) {  // it was killed behind its rules
        Progress progress;
        try_knobs_of_plan(run, progress);
    } else {
        print_note("The run in {} is complete; to measure again, name another --run\n", options.folder);
    }
    print_summary(options.folder);
    if (state == RunState::stale || !std::filesystem::exists(run.files.report())) {
        report::write_report({options.folder});
    }
    require_result(options, run);
}

// A verified configuration stays until the next one is verified.
void write_unless_verified(const RunFiles& files, const std::optional<Config>& old, const Config& config) {
    if (!old || !old->verified) {
        write_decided(files, config);
    } else if (!has_verified_rules(*old)) {
        print_note("Note: the rules in {} were edited after they were verified; they will be replaced\n",
                   files.config());
    }
}

// Rules that were verified before stay if the time was not enough to verify as many of those that are to
// replace them. Returns whether they were replaced.
bool commit_unless_short_of_time(const OpenRun& run, Progress& progress, const std::optional<Config>& old,
                                 const Config& config, const Verification& verification) {
    if (old && has_verified_rules(*old) && !old->rules.empty() &&
        count_not_measured(verification.notes) > count_not_measured(old->notes)) {
        progress.note("The rules that were verified before stay: there was no time to verify all new ones");
        return false;
    }
    commit_verified(run.files, config, verification);
    return true;
}

void decide_and_verify(OpenRun& run, Progress& progress, Deadline start) {
    const Config config = decided_config(run.data, run.plan, run.files);
    const std::optional<Config> old = config_of(run.files);
    write_unless_verified(run.files, old, config);
    const bool is_committed = commit_unless_short_of_time(
        run, progress, old, config, verify_rules(run, progress, config, end_of_budget(run.plan, start)));
    if (is_committed && !stale_cells(run.data).empty()) {
        mark_retuned(run.journal);  // all cells were measured, decided and verified
    }
}

// The search has to leave time for a verification of unknown length: what is left behind it is for what is
// still known less precisely than planned. Once: each further verification could let one more rule pass by
// chance.
void use_time_left(OpenRun& run, Progress& progress, Deadline start, const CampaignReport& report) {
    constexpr double worth_going_on = 0.15;  // of the budget
    const double budget = run.plan.budget_seconds;
    const std::optional<Deadline> end = end_of_budget(run.plan, start);
    if (!end || report.coarse.empty() || seconds_until(*end) < worth_going_on * budget) {
        return;
    }
    run.plan.budget_seconds = seconds_until(*end);
    progress.note(fmt::format("{} of the time limit are left: going on with what is known less precisely",
                              seconds_text(run.plan.budget_seconds)));
    const bool has_news = measure(run, progress).cases > 0;
    run.plan.budget_seconds = budget;
    if (!has_news) {
        return;
    }
    const Config config = decided_config(run.data, run.plan, run.files);
    commit_unless_short_of_time(run, progress, config_of(run.files), config,
                                verify_rules(run, progress, config, end));
}

void tune(const TuneOptions& options) {
    const Deadline start = Clock::now();
    OpenRun run = open_run(options);
    run.plan = with_limits(run.plan, {}, run.files);
    const RunState state = run_state(run.files, run.data);
    const double extension = budget_of(run.data, run.plan.budget_seconds).unused_extension;
    if (state == RunState::stale || (state == RunState::complete && extension == 0)) {
        finish(options, run, state);
        return;
    }
    if (state == RunState::complete) {
        run.plan.budget_seconds = extension;
        print_note("Going on with the run in {} for {}; its rules stay until better ones are verified\n",
                   options.folder, seconds_text(extension));
    }
    if (!run.cluster.note().empty()) {
        print_note("{}\n", run.cluster.note());
    }
    print_note("{}\n", estimate_summary(
                           "Estimated time",
                           estimate(run.cluster, run.plan, run.data, load_network_parameters(options.folder)),
                           run.plan));
    Progress progress;
    const CampaignReport report = measure(run, progress);
    if (!run.plan.collectives.empty()) {  // else there is nothing to decide
        decide_and_verify(run, progress, start);
        use_time_left(run, progress, start, report);
    }
    try_knobs_of_plan(run, progress);
    if (extension > 0) {
        run.journal.append_event(extension_used_event, Json::object());
    }
    progress.clear();
    print_summary(options.folder);
    if (!run.plan.collectives.empty()) {
        print_gains(options, read_config(run.files.config()));
    }
    report::write_report({options.folder});
    if (!run.plan.collectives.empty()) {
        require_result(options, run);
    }
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

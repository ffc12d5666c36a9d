// SPDX-License-Identifier: MIT
#include "run_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "at_once.hpp"
#include "cluster_file.hpp"
#include "commit.hpp"
#include "error.hpp"
#include "estimate_text.hpp"
#include "extent.hpp"
#include "job_mix.hpp"
#include "machine.hpp"
#include "output.hpp"
#include "prior_run.hpp"
#include "profile.hpp"
#include "run_owner.hpp"
#include "run_state.hpp"
#include "slurm.hpp"
#include "units.hpp"

namespace tuner::commands {

namespace {

constexpr const char* default_plan = "quick";
constexpr std::uint64_t default_seed = 1;
constexpr int most_ranks_of_machine = 4096;
constexpr int most_fake_nodes = 64;

// By the limits of the plan's key: a run with another value could not be opened again
double budget_seconds(const std::string& budget) {
    const double seconds = parse_seconds(budget);
    try {
        plan_from(CheckedJson(Json{{"budget_seconds", seconds}}, "--budget " + budget));
    } catch (const Error& error) {
        throw usage_error(
            fmt::format("{}; give a shorter time, or omit --budget for no limit", error.what()));
    }
    return seconds;
}

}  // namespace

void set_limits(Plan& plan, const RuleLimits& asked) {
    if (!asked.reproducible.empty()) {
        plan.reproducible = models::parse_reproducible(asked.reproducible);
    }
    if (!asked.max_memory.empty()) {
        plan.max_memory = parse_bytes(asked.max_memory);
    }
}

namespace {

Plan plan_of(const TuneOptions& options) {
    Plan plan = plan_named(options.plan.value_or(default_plan));
    if (!options.collectives.empty()) {
        plan = with_collectives(plan, options.collectives);
    }
    plan.exhaustive = plan.exhaustive || options.exhaustive;
    if (!options.until_loss.empty()) {
        plan.until_loss = parse_share(options.until_loss);
    }
    set_limits(plan, options.limits);
    if (!options.budget.empty()) {
        plan.budget_seconds = budget_seconds(options.budget);
    }
    return plan;
}

// Simulated ranks start together, and their library has no variables and no mock-ups
void narrow_to_library(const Cluster& cluster, Plan& plan) {
    if (cluster.is_simulated()) {
        plan.arrivals.clear();
        plan.guidelines = false;
        plan.mix.clear();
        plan.knobs.clear();
        if (plan.communicators != Plan().communicators) {
            throw usage_error("a simulated job has one communicator; omit the plan's key \"communicators\"");
        }
        if (plan.reproducible != models::Reproducible::any) {
            throw usage_error(
                "simulated reductions have no results; omit --reproducible, and the plan's key "
                "\"reproducible\"");
        }
    }
}

bool has_recorded(const models::ArrivalMix& mix) {
    return std::any_of(mix.begin(), mix.end(),
                       [](const models::Arrival& arrival) { return arrival.pattern->is_recorded; });
}

// To what the program of a trace uses
void narrow_to_profile(const std::string& prefix, Cluster& cluster, Plan& plan) {
    if (prefix.empty() && has_recorded(plan.mix)) {
        throw usage_error("the plan's arrivals are those of a program; name its trace: --profile TRACE");
    }
    if (prefix.empty()) {
        return;
    }
    const trace::LoadedTrace profile(prefix);
    std::vector<std::string> notes;
    plan = trace::plan_for(plan, profile.analysis, notes);
    const std::vector<Layout> all =
        cluster.chooses_layouts ? all_layouts(extent_of(cluster)) : cluster.layouts;
    const std::vector<Layout> used = trace::layouts_for(all, profile.analysis, notes);
    if (used != all) {
        cluster.layouts = used;
        cluster.chooses_layouts = false;
    }
    for (const std::string& note : notes) {
        print_note("Note: {}\n", note);
    }
}

// Jobs are divided into communicators that call at once, if the plan says so
void divide_jobs(const Plan& plan, Cluster& cluster) {
    measure_at_once(plan.communicators, cluster);
    for (const AtOnce& part : cluster.at_once) {
        print_note("Note: layout {}\n", to_string(part));
    }
}

Error started_with_other(const TuneOptions& options, const std::string& what, const char* option) {
    return usage_error(
        fmt::format("the run in {} was started with {}; omit {} to resume it, or name another --run",
                    options.folder, what, option));
}

bool was_started_with(const OpenRun& run, const std::string& option) {
    const std::vector<std::string>& words = run.data.manifest.command_line;
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return word == option || word.starts_with(option + "=");
    });
}

void refuse_other_cluster(const TuneOptions& options, const OpenRun& run) {
    if (options.machine != MachineUse{} && this_machine(options.machine).hosts != run.cluster.hosts) {
        throw started_with_other(options, "other hosts", "--ranks and --fake-nodes");
    }
    if (options.cluster_file.empty()) {
        return;
    }
    Cluster asked = read_cluster(options.cluster_file);
    Plan plan = plan_of(options);
    narrow_to_profile(options.profile, asked, plan);
    measure_at_once(run.plan.communicators, asked);
    if (asked.chooses_layouts && run.cluster.chooses_layouts) {
        asked.layouts = run.cluster.layouts;  // it has chosen some
    }
    if (was_started_with(run, "--job-mix")) {
        asked.jobs = run.cluster.jobs;
    }
    if (!(asked == run.cluster)) {
        throw started_with_other(options, "another cluster", "--cluster");
    }
}

// What sacct says changes from day to day: a run keeps what it said first
void refuse_other_jobs(const TuneOptions& options, const OpenRun& run) {
    const bool is_asked = !options.job_mix.empty();
    if (is_asked &&
        (!was_started_with(run, "--job-mix") ||
         (options.job_mix != job_mix_of_slurm && read_job_mix(options.job_mix) != run.cluster.jobs))) {
        throw started_with_other(options, "other jobs", "--job-mix");
    }
}

// By its name; a file must also say the same as it did, but for what the options replaced
void refuse_other_plan(const TuneOptions& options, const OpenRun& run) {
    if (!options.plan) {
        return;
    }
    Plan asked = plan_named(*options.plan);
    if (asked.name != run.plan.name) {
        throw started_with_other(options, "the plan '" + run.plan.name + "'", "--plan");
    }
    if (asked.name == *options.plan || was_started_with(run, "--profile")) {
        return;
    }
    narrow_to_library(run.cluster, asked);
    asked.budget_seconds = run.plan.budget_seconds;
    asked.exhaustive = run.plan.exhaustive;
    asked.until_loss = run.plan.until_loss;
    if (was_started_with(run, "--reproducible")) {
        asked.reproducible = run.plan.reproducible;
    }
    if (was_started_with(run, "--max-memory")) {
        asked.max_memory = run.plan.max_memory;
    }
    if (was_started_with(run, "--collectives")) {
        asked.collectives = run.plan.collectives;
    }
    if (!(asked == run.plan)) {
        throw started_with_other(options, "other content of " + *options.plan, "--plan");
    }
}

void refuse_other_limits(const TuneOptions& options, const OpenRun& run) {
    Plan asked = run.plan;
    set_limits(asked, options.limits);
    if (asked.reproducible != run.plan.reproducible) {
        throw started_with_other(options,
                                 fmt::format("--reproducible {}", models::to_string(run.plan.reproducible)),
                                 "--reproducible");
    }
    if (asked.max_memory != run.plan.max_memory) {
        throw started_with_other(options, fmt::format("--max-memory {}", bytes_text(run.plan.max_memory)),
                                 "--max-memory");
    }
}

// A run is resumed with the options it was started with.
void refuse_other_options(const TuneOptions& options, const OpenRun& run) {
    refuse_other_cluster(options, run);
    refuse_other_jobs(options, run);
    refuse_other_plan(options, run);
    if (!options.collectives.empty() &&
        with_collectives(run.plan, options.collectives).collectives != run.plan.collectives) {
        throw started_with_other(options, "other collectives", "--collectives");
    }
    const double limit = run.plan.budget_seconds;
    if (!options.budget.empty() && (limit == 0 || budget_seconds(options.budget) < limit)) {
        throw started_with_other(
            options, limit > 0 ? "the time limit " + seconds_text(limit) : "no time limit", "--budget");
    }
    if (const std::uint64_t seed = run.data.manifest.seed; options.seed.value_or(seed) != seed) {
        throw started_with_other(options, fmt::format("--seed {}", seed), "--seed");
    }
    if (options.exhaustive && !run.plan.exhaustive) {
        throw started_with_other(options, "a search that is not exhaustive", "--exhaustive");
    }
    if (!options.prior.empty() && !was_started_with(run, "--prior")) {
        throw started_with_other(options, "no earlier run", "--prior");
    }
    if (!options.until_loss.empty() && parse_share(options.until_loss) != run.plan.until_loss) {
        throw started_with_other(options, fmt::format("--until-loss {:g}%", 100 * run.plan.until_loss),
                                 "--until-loss");
    }
    refuse_other_limits(options, run);
}

// A longer time limit than before: the run goes on, also if it is complete
void extend_budget(const TuneOptions& options, OpenRun& run) {
    const double seconds = options.budget.empty() ? 0 : std::round(budget_seconds(options.budget));
    const double added = std::round(seconds - run.plan.budget_seconds);
    if (added <= 0) {
        return;
    }
    Json event = {{"seconds", static_cast<std::uint64_t>(seconds)},
                  {"added", static_cast<std::uint64_t>(added)}};
    run.journal.append_event(budget_extended_event, event);
    event["event"] = budget_extended_event;
    run.data.events.push_back(event);
    run.plan.budget_seconds = seconds;
}

std::string as_comments(const std::string& text) {
    std::string comments;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        comments += "# " + text.substr(at, end - at) + "\n";
        at = end + 1;
    }
    return comments;
}

// The one step that an interrupted command may have left out after its rules were verified
void finish_writing(const OpenRun& run) {
    if (run_state(run.files, run.data) == RunState::unwritten) {
        write_tuning_file(run.files, read_config(run.files.config()));
        print_note(
            "Note: {} now has the verified rules of config.json; an interrupted command had not written it\n",
            run.files.tuning());
    }
}

}  // namespace

void add_resume_options(CLI::App& command, ResumeOptions& o) {
    add_run_option(command, o.folder);
    command.add_flag("--trust-run", o.trusts_others,
                     "start the programs that manifest.json names even if the run belongs to another user");
}

void add_cluster_options(CLI::App& command, TuneOptions& o) {
    command.add_option("--cluster", o.cluster_file,
                       "cluster file (default: the allocation of Slurm, else this machine as one node)");
    command
        .add_option(
            "--ranks", o.machine.ranks,
            "without a cluster: most ranks on this machine, also more than it has cores (default: one "
            "for each core)")
        ->check(CLI::Range(2, most_ranks_of_machine));
    command
        .add_option(
            "--fake-nodes", o.machine.fake_nodes,
            "without a cluster: also so many nodes that are faked on this machine, as a demonstration")
        ->check(CLI::Range(2, most_fake_nodes));
}

void add_tune_options(CLI::App& command, TuneOptions& o) {
    add_resume_options(command, o);
    command.get_option("--run")->description("run directory; an existing one is resumed");
    add_cluster_options(command, o);
    command.add_option("--plan", o.plan, "quick, standard, full, network, or a file")
        ->default_str(default_plan);
    command
        .add_option("--collectives", o.collectives,
                    "comma-separated subset of collectives (default: those of the plan)")
        ->delimiter(',');
    command.add_option("--budget", o.budget, "time limit of the whole tuning, such as 10m");
    command.add_option("--seed", o.seed, "seed for the order of repetitions")
        ->default_str(std::to_string(default_seed));
    command.add_flag("--exhaustive", o.exhaustive, "measure every algorithm at every size of a fine grid");
    command.add_option(
        "--prior", o.prior,
        "an earlier run, before a change or on a similar cluster: what was far behind there is "
        "measured only where this one turns out otherwise");
    command.add_option("--until-loss", o.until_loss,
                       "stop searching a collective when its rules are expected to lose at most this against "
                       "the best algorithms, such as 1%");
    add_limit_options(command, o.limits);
    command.add_option("--profile", o.profile,
                       "trace of a program: tune only its collectives, sizes and layouts");
    command.add_option(
        "--job-mix", o.job_mix,
        "jobs of the cluster, by which layouts are chosen: a file with lines NODES RANKS JOBS, or "
        "sacct (default: all sizes count the same)");
    command.add_flag("--dry-run", o.dry_run,
                     "print the estimated time and the command lines of all launches, and exit");
}

Cluster cluster_of(const TuneOptions& options) {
    const std::optional<Allocation> allocation =
        options.cluster_file.empty() ? slurm_allocation() : std::nullopt;
    if (options.machine != MachineUse{} && (allocation || !options.cluster_file.empty())) {
        throw usage_error(fmt::format(
            "--ranks and --fake-nodes are for this machine, not for {}; omit them{}",
            allocation ? "an allocation of Slurm" : "a cluster file",
            allocation ? ", or run outside of the allocation" : " (its \"slots\" say how many ranks)"));
    }
    Cluster cluster = !options.cluster_file.empty() ? read_cluster(options.cluster_file)
                      : allocation                  ? cluster_on(*allocation)
                                                    : this_machine(options.machine);
    if (!options.job_mix.empty()) {
        cluster.jobs = read_job_mix(options.job_mix);
    }
    return cluster;
}

OpenRun resumed_run(const ResumeOptions& options) {
    if (!options.trusts_others) {
        refuse_run_of_others(options.folder);
    }
    OpenRun run = resume_run(options.folder);
    finish_writing(run);
    if (!run.note.empty()) {
        print_note("{}\n", run.note);
    }
    return run;
}

OpenRun open_run(const TuneOptions& options) {
    if (std::filesystem::exists(RunFiles(options.folder).manifest())) {
        OpenRun run = resumed_run(options);
        run.plan.budget_seconds = budget_of(run.data, run.plan.budget_seconds).seconds;
        refuse_other_options(options, run);
        if (has_recorded(run.plan.mix)) {
            keep_arrivals(options.profile, run.files);
        }
        if (!options.prior.empty()) {
            keep_prior(SavedRun(options.prior), run.files);
        }
        extend_budget(options, run);
        return run;
    }
    Cluster cluster = cluster_of(options);
    Plan plan = plan_of(options);
    narrow_to_profile(options.profile, cluster, plan);
    narrow_to_library(cluster, plan);
    divide_jobs(plan, cluster);
    Manifest manifest;
    manifest.command_line = options.command_line;
    manifest.seed = options.seed.value_or(default_seed);
    manifest.cluster = to_json(cluster);
    manifest.plan = to_json(plan);
    manifest.environment = environment_of_this_machine();
    manifest.fingerprint = fingerprint_of(cluster);
    const std::optional<SavedRun> prior =
        options.prior.empty() ? std::nullopt : std::optional<SavedRun>(options.prior);
    Journal::create(options.folder, manifest);
    if (has_recorded(plan.mix)) {
        keep_arrivals(options.profile, RunFiles(options.folder));
    }
    if (prior) {
        keep_prior(*prior, RunFiles(options.folder));
    }
    return resumed_run({options.folder, true});  // some file systems name another owner, even now
}

void print_dry_run(const TuneOptions& options) {
    Cluster cluster;
    Plan plan;
    RunData data;
    NetworkParameters messages;
    if (std::filesystem::exists(RunFiles(options.folder).manifest())) {
        const SavedRun saved(options.folder);
        cluster = saved.cluster();
        plan = saved.plan();
        data = saved.data();
        messages = saved.network_parameters();
    } else {
        cluster = cluster_of(options);
        plan = plan_of(options);
        narrow_to_profile(options.profile, cluster, plan);
        narrow_to_library(cluster, plan);
        divide_jobs(plan, cluster);
    }
    print_data("# plan {}: {} collectives, {} exchanges\n", plan.name, plan.collectives.size(),
               plan.exchanges.size());
    for (const PlannedCollective& c : plan.collectives) {
        print_data("#   {} {} to {}\n", c.name, bytes_text(c.min_bytes), bytes_text(c.max_bytes));
    }
    print_data("# estimated time:\n{}",
               as_comments(estimate_table(estimate(cluster, plan, data, messages), plan)));
    for (const Network& network : cluster.networks) {
        for (const Layout& layout : cluster.layouts) {
            print_data("{}\n", to_shell(launch_command(cluster, network, layout,
                                                       benchmark_program(cluster, network))));
        }
    }
    if (cluster.chooses_layouts) {
        print_data("# and further layouts, chosen by what is measured on these\n");
    }
}

}  // namespace tuner::commands

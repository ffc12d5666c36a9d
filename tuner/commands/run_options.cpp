// SPDX-License-Identifier: MIT
#include "run_options.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "cluster_file.hpp"
#include "error.hpp"
#include "machine.hpp"
#include "profile.hpp"
#include "slurm.hpp"
#include "units.hpp"

namespace tuner::commands {

namespace {

Plan plan_of(const TuneOptions& options) {
    Plan plan = plan_named(options.plan);
    if (!options.collectives.empty()) {
        plan = with_collectives(plan, options.collectives);
    }
    plan.exhaustive = plan.exhaustive || options.exhaustive;
    if (!options.budget.empty()) {
        plan.budget_seconds = parse_seconds(options.budget);
    }
    return plan;
}

// To what the program of a trace uses
void narrow_to_profile(const std::string& prefix, Cluster& cluster, Plan& plan) {
    if (prefix.empty()) {
        return;
    }
    const trace::LoadedTrace profile(prefix);
    std::vector<std::string> notes;
    plan = trace::plan_for(plan, profile.analysis, notes);
    cluster.layouts = trace::layouts_for(cluster.layouts, profile.analysis, notes);
    for (const std::string& note : notes) {
        fmt::print(stderr, "Note: {}\n", note);
    }
}

Error started_with_other(const TuneOptions& options, const std::string& what, const char* option) {
    return usage_error(
        fmt::format("the run in {} was started with {}; omit {} to resume it, or name another --run",
                    options.folder, what, option));
}

// A run is resumed with the options it was started with.
void refuse_other_options(const TuneOptions& options, const OpenRun& run) {
    if (!options.cluster_file.empty()) {
        Cluster asked = read_cluster(options.cluster_file);
        Plan plan = plan_of(options);
        narrow_to_profile(options.profile, asked, plan);
        if (!(asked == run.cluster)) {
            throw started_with_other(options, "another cluster", "--cluster");
        }
    }
    if (run.plan.name != plan_named(options.plan).name && options.plan != TuneOptions{}.plan) {
        throw started_with_other(options, "the plan '" + run.plan.name + "'", "--plan");
    }
    if (!options.collectives.empty() &&
        with_collectives(run.plan, options.collectives).collectives != run.plan.collectives) {
        throw started_with_other(options, "other collectives", "--collectives");
    }
}

}  // namespace

void add_tune_options(CLI::App& command, TuneOptions& o) {
    command.add_option("--run", o.folder, "run directory; an existing one is resumed")->capture_default_str();
    command.add_option("--cluster", o.cluster_file,
                       "cluster file (default: the allocation of Slurm, else this machine with faked nodes)");
    command.add_option("--plan", o.plan, "quick, standard, full, network, or a file")->capture_default_str();
    command
        .add_option("--collectives", o.collectives,
                    "comma-separated subset of collectives (default: those of the plan)")
        ->delimiter(',');
    command.add_option("--budget", o.budget, "time limit of the whole tuning, such as 10m");
    command.add_option("--seed", o.seed, "seed for the order of repetitions")->capture_default_str();
    command.add_flag("--exhaustive", o.exhaustive, "measure every algorithm at every size of a fine grid");
    command.add_option("--profile", o.profile,
                       "trace of a program: tune only its collectives, sizes and layouts");
    command.add_flag("--dry-run", o.dry_run, "print the command lines of all launches, and exit");
}

Cluster cluster_of(const TuneOptions& options) {
    if (!options.cluster_file.empty()) {
        return read_cluster(options.cluster_file);
    }
    const std::optional<Allocation> allocation = slurm_allocation();
    return allocation ? cluster_on(*allocation) : this_machine();
}

OpenRun resumed_run(const std::string& folder) {
    OpenRun run = resume_run(folder);
    if (!run.note.empty()) {
        fmt::print(stderr, "{}\n", run.note);
    }
    return run;
}

OpenRun open_run(const TuneOptions& options) {
    if (std::filesystem::exists(RunFiles(options.folder).manifest())) {
        OpenRun run = resumed_run(options.folder);
        refuse_other_options(options, run);
        return run;
    }
    Cluster cluster = cluster_of(options);
    Plan plan = plan_of(options);
    narrow_to_profile(options.profile, cluster, plan);
    Manifest manifest;
    manifest.command_line = options.command_line;
    manifest.seed = options.seed;
    manifest.cluster = to_json(cluster);
    manifest.plan = to_json(plan);
    manifest.environment = environment_of_this_machine();
    manifest.fingerprint = fingerprint_of(cluster);
    Journal::create(options.folder, manifest);
    return resumed_run(options.folder);
}

void print_dry_run(const TuneOptions& options) {
    Cluster cluster = cluster_of(options);
    Plan plan = plan_of(options);
    narrow_to_profile(options.profile, cluster, plan);
    fmt::print("# plan {}: {} collectives, {} exchanges\n", plan.name, plan.collectives.size(),
               plan.exchanges.size());
    for (const PlannedCollective& c : plan.collectives) {
        fmt::print("#   {} {} to {}\n", c.name, bytes_text(c.min_bytes), bytes_text(c.max_bytes));
    }
    for (const Network& network : cluster.networks) {
        for (const Layout& layout : cluster.layouts) {
            fmt::print("{}\n", to_shell(launch_command(cluster, network, layout,
                                                       benchmark_program(cluster, network))));
        }
    }
}

}  // namespace tuner::commands

// SPDX-License-Identifier: MIT
// Performance guidelines: each call against the same result from other calls, by default and with the rules.
#include <algorithm>
#include <memory>

#include "audit_file.hpp"
#include "audit_text.hpp"
#include "command_lines.hpp"
#include "commands.hpp"
#include "config.hpp"
#include "error.hpp"
#include "estimate.hpp"
#include "machine.hpp"
#include "measure_audit.hpp"
#include "measuring.hpp"
#include "output.hpp"
#include "planned_collective.hpp"
#include "rules_loaded.hpp"
#include "run_options.hpp"
#include "units.hpp"
#include "verifying.hpp"

namespace tuner::commands {

namespace {

constexpr int exit_new_violation = 3;

struct AuditOptions : TuneOptions {
    bool loaded = false;
};

// Jobs of one kind on one layout
struct AuditPlace {
    std::string network;
    Layout layout;
    bool is_loaded = false;
    std::vector<AuditCase> cases = {};
    double seconds = 0;  // expected, of all jobs
};

double expected_seconds(const AuditPlace& place, const OpenRun& run, const Cells& cells, double launch) {
    double seconds = launch;
    for (const AuditCase& audited : place.cases) {
        seconds += likely_seconds(request_of(audited, 0), run.plan, cells.at(audited.cell));
    }
    return static_cast<double>(jobs_of_audit) * seconds;
}

std::vector<AuditPlace> places_to_audit(const AuditOptions& options, const OpenRun& run,
                                        const std::optional<Config>& config) {
    const Cells cells = cells_of(run.data, Stage::search);
    const double launch = launch_seconds_of(run.cluster, run.data);
    std::vector<AuditPlace> places;
    for (const Network& network : run.cluster.networks) {
        for (const Layout& layout : outer_layouts(cells, network.name)) {
            for (const bool is_loaded : {false, true}) {
                if (is_loaded && !(config && has_rules(*config, network.name, layout))) {
                    continue;
                }
                AuditPlace place = {network.name, layout, is_loaded};
                place.cases = cases_to_audit(cells, network.name, layout, options.collectives);
                for (AuditCase& audited : place.cases) {
                    const Rule* rule = is_loaded ? find_rule_in_job(*config, network.name, layout,
                                                                    audited.cell.collective, audited.bytes)
                                                 : nullptr;
                    audited.is_loaded = is_loaded;
                    audited.rule = rule ? rule->algorithm : "";
                }
                place.seconds = expected_seconds(place, run, cells, launch);
                if (!place.cases.empty()) {
                    places.push_back(std::move(place));
                }
            }
        }
    }
    return places;
}

// The cluster, with the rules where jobs read them
Cluster cluster_for(const AuditPlace& place, OpenRun& run, const std::optional<Config>& config) {
    Cluster cluster = run.cluster;
    if (place.is_loaded) {
        set_network(cluster, with_rules(run, *config, place.network, place.layout));
    }
    return cluster;
}

void measure_place(AuditPlace& place, OpenRun& run, Progress& progress, const std::optional<Config>& config,
                   Deadline expected_end, std::vector<std::string>& notes) {
    const Cluster cluster = cluster_for(place, run, config);
    Campaign campaign = campaign_of(run, cluster, progress);
    const Stage stage = place.is_loaded ? Stage::audit_loaded : Stage::audit;
    const MeasurePairs measure = pairs_by(run, campaign, progress, stage, {}, expected_end);
    const bool is_complete = measure_audit(place.cases, measure, notes);
    end_job(campaign, progress);
    if (!is_complete) {
        throw failure(stop_requested
                          ? "stopped; the same command again begins anew"
                          : "no job started; the warnings say why. Check the cluster: changeover doctor");
    }
}

Audit measured(std::vector<AuditPlace> places, OpenRun& run, Progress& progress,
               const std::optional<Config>& config) {
    double seconds = 0;
    for (const AuditPlace& place : places) {
        seconds += place.seconds;
    }
    const Deadline expected_end = in_seconds(seconds);
    progress.note(fmt::format("audit: about {}", seconds_text(seconds)));
    Audit audit;
    std::vector<AuditCase> cases;
    for (AuditPlace& place : places) {
        measure_place(place, run, progress, config, expected_end, audit.notes);
        std::move(place.cases.begin(), place.cases.end(), std::back_inserter(cases));
    }
    progress.clear();
    audit.created = now_utc();
    audit.results = judge_audit(cases);
    return audit;
}

// Sizes are chosen by how long calls take
OpenRun measured_run(const AuditOptions& options) {
    if (options.loaded) {
        throw usage_error("--cluster measures, and has no rules to load; tune first: changeover tune");
    }
    OpenRun run = open_run(options);
    Progress progress;
    measure(run, progress);
    progress.clear();
    return run;
}

int audit_run(const AuditOptions& options) {
    for (const std::string& name : options.collectives) {
        known_collective(name);
    }
    OpenRun run = options.cluster_file.empty() ? resumed_run(options) : measured_run(options);
    require_allocation(run);
    if (run.cluster.is_simulated()) {
        throw usage_error("a simulated machine has no mock-ups; audit a run of a real one");
    }
    std::optional<Config> config;
    if (options.loaded) {
        require_decided(run.files);
        config = read_config(run.files.config());
    }
    std::vector<AuditPlace> places = places_to_audit(options, run, config);
    if (places.empty()) {
        throw usage_error("the run has no collectives that could be audited" +
                          std::string(options.collectives.empty() ? "" : " by these names") +
                          "; measure some: " + changeover_command({"tune", "--run", options.folder}));
    }
    Progress progress;
    const Audit audit = measured(std::move(places), run, progress, config);
    write_audit(run.files, audit);
    print_data("{}", to_text(audit));
    const bool has_new = std::any_of(audit.results.begin(), audit.results.end(),
                                     [](const AuditResult& result) { return result.is_new; });
    return has_new ? exit_new_violation : 0;
}

}  // namespace

void define_audit(CLI::App& command, Invocation& invocation) {
    const auto o = std::make_shared<AuditOptions>();
    add_resume_options(command, *o);
    command.add_option("--cluster", o->cluster_file,
                       "cluster file: measure its calls into a new run directory first (as changeover run)");
    command.add_option("--plan", o->plan, "with --cluster: quick, standard, full, or a file")
        ->default_str("quick");
    command.add_flag("--loaded", o->loaded,
                     "also in jobs that read the rules: what they removed, and what is new; exit code 3 if "
                     "something is");
    command.add_option("--collectives", o->collectives, "only these, separated by commas")->delimiter(',');
    command.footer(
        "A guideline is that a call is not slower than the same result from other calls, such as allreduce\n"
        "from reduce and bcast, or a call of twice the size. Both are measured in pairs, in three jobs on\n"
        "the layouts with most ranks and with most nodes. audit.json of the run directory has all ratios.");
    command.callback([o, &invocation] {
        o->command_line = invocation.command_line;
        invocation.exit_code = audit_run(*o);
    });
}

}  // namespace tuner::commands

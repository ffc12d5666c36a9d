// SPDX-License-Identifier: MIT
#include "tune.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "campaign.hpp"
#include "combine.hpp"
#include "decide.hpp"
#include "emit.hpp"
#include "error.hpp"
#include "exchange_headlines.hpp"
#include "files.hpp"
#include "machine.hpp"
#include "mpi_library.hpp"
#include "network_check.hpp"
#include "report.hpp"
#include "sentinels.hpp"
#include "slurm.hpp"
#include "stale.hpp"
#include "summary.hpp"
#include "profile.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr double share_of_search = 0.65;  // of a budget; the rest is for verification
constexpr double share_of_networks =
    0.1;  // of a budget, and of the share of the search: messages of two ranks

constexpr double share_of_exchanges = 0.2;  // of a budget, if there are collectives to tune as well

constexpr int exit_stale = 3;

// A run that this process writes to
struct OpenRun {
    RunData data;
    Cluster cluster;
    Plan plan;
    Journal journal;
};

std::string config_file(const std::string& folder) {
    return folder + "/config.json";
}

std::string tuning_file(const std::string& folder) {
    return folder + "/tuning.json";
}

std::string verification_file(const std::string& folder) {
    return folder + "/verification.json";
}

Plan plan_of(const TuneOptions& options) {
    Plan plan = plan_named(options.plan);
    if (!options.collectives.empty()) {
        plan = with_collectives(plan, options.collectives);
    }
    plan.exhaustive = plan.exhaustive || options.exhaustive;
    if (options.budget_seconds > 0) {
        plan.budget_seconds = options.budget_seconds;
    }
    return plan;
}

Cluster cluster_of(const TuneOptions& options) {
    if (!options.cluster_file.empty()) {
        return read_cluster(options.cluster_file);
    }
    const std::optional<Allocation> allocation = slurm_allocation();
    return allocation ? cluster_on(*allocation) : this_machine();
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

OpenRun resume_run(const std::string& folder) {
    RunData data;
    Journal journal = Journal::resume(folder, data);
    if (is_combined(data.manifest)) {
        throw wrong_use("the run in " + folder +
                        " is a combination of others, in which nothing is measured; name another --run");
    }
    forget_stale(data);
    const std::string manifest = folder + "/manifest.json";
    Cluster cluster = cluster_from(CheckedJson(data.manifest.cluster, manifest));
    if (const std::optional<Allocation> allocation = slurm_allocation(); cluster.is_allocated && allocation) {
        cluster = moved_to(std::move(cluster), *allocation);
        fmt::print(stderr, "Using {}\n", to_string(*allocation));
    }
    Plan plan = plan_from(CheckedJson(data.manifest.plan, manifest));
    return {std::move(data), std::move(cluster), std::move(plan), std::move(journal)};
}

OpenRun open_run(const TuneOptions& options) {
    if (std::filesystem::exists(options.folder + "/manifest.json")) {
        OpenRun run = resume_run(options.folder);
        Cluster asked = run.cluster;
        if (!options.cluster_file.empty()) {
            asked = read_cluster(options.cluster_file);
            Plan plan = plan_of(options);
            narrow_to_profile(options.profile, asked, plan);
        }
        if (!(asked == run.cluster)) {
            throw wrong_use(
                "the run in " + options.folder +
                " was started with another cluster; leave --cluster out to resume it, or name another "
                "--run");
        }
        if (run.plan.name != plan_named(options.plan).name && options.plan != TuneOptions{}.plan) {
            throw wrong_use("the run in " + options.folder + " was started with the plan '" + run.plan.name +
                            "'; leave --plan out to resume it, or name another --run");
        }
        if (!options.collectives.empty() &&
            with_collectives(run.plan, options.collectives).collectives != run.plan.collectives) {
            throw wrong_use("the run in " + options.folder +
                            " was started with other collectives; leave --collectives out to resume it, or "
                            "name another --run");
        }
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
    return resume_run(options.folder);
}

// Outside of an allocation srun would ask for one, and wait for it
Campaign campaign_of(OpenRun& run, const Cluster& cluster, Progress& progress) {
    if (run.cluster.is_allocated && !slurm_allocation()) {
        throw wrong_use(
            fmt::format("the run in {0} measures in allocations of Slurm, and this is not inside of one; "
                        "submit it again, or "
                        "try: salloc ... changeover tune --run {0}",
                        run.journal.folder().string()));
    }
    return Campaign(cluster, run.plan, run.journal, run.data, progress);
}

void note_coarse(const CampaignReport& report, Progress& progress) {
    for (const std::string& text : report.coarse) {
        progress.note("Note: " + text);
    }
}

void tell(const CampaignReport& report, Progress& progress) {
    for (const FailedLayout& failed : report.failed) {
        progress.note(fmt::format("Warning: nothing could be measured on {} {}: {}", failed.network,
                                  to_string(failed.layout), failed.reason));
    }
    for (const CaseRecord& record : report.poisoned) {
        progress.note(fmt::format("Warning: {} {} {} {} failed: {}", record.collective, record.algorithm,
                                  bytes_text(record.bytes), to_string(record.layout), record.reason));
    }
    note_coarse(report, progress);
}

// Processes that could not be ended would disturb whatever is measured next.
void end_job(Campaign& campaign, Progress& progress) {
    campaign.end_job();
    for (const std::string& text : campaign.left()) {
        progress.note("Warning: " + text);
    }
}

// `only`: these cells; nullptr: all of the plan
CampaignReport measure(OpenRun& run, Progress& progress, const std::set<CellKey>* only = nullptr) {
    Campaign campaign = campaign_of(run, run.cluster, progress);
    std::optional<Deadline> deadline;
    if (run.plan.budget_seconds > 0) {
        deadline = in_seconds(share_of_search * run.plan.budget_seconds);
    }
    std::optional<Deadline> networks_end;
    if (deadline) {
        networks_end = in_seconds(share_of_networks * run.plan.budget_seconds);
    }
    CampaignReport messages = campaign.measure_networks(networks_end);
    save_network_parameters(run.journal.folder(), fit_network_parameters(run.data, run.cluster));
    note_coarse(messages, progress);
    if (!messages.stopped && !only) {
        const double share = run.plan.collectives.empty() ? 1 : share_of_exchanges;
        const std::size_t before = messages.cases;
        messages = campaign.measure_exchanges(
            deadline ? std::optional(in_seconds(share * run.plan.budget_seconds)) : std::nullopt);
        messages.cases += before;
        note_coarse(messages, progress);
    }
    CampaignReport report = messages.stopped ? messages : campaign.search(deadline, only);
    report.cases += messages.stopped ? 0 : messages.cases;
    tell(report, progress);
    end_job(campaign, progress);
    if (report.stopped) {
        throw failure("stopped; nothing is lost, go on with: changeover tune --run " +
                      run.journal.folder().string());
    }
    // "Nothing to change" would be the wrong conclusion
    const bool has_times =
        std::any_of(run.data.cases.begin(), run.data.cases.end(), [&](const CaseRecord& record) {
            const CellKey cell = {record.network, record.layout, record.collective, record.operation};
            return (record.stage == "search" || record.stage == exchange_stage) &&
                   record.status == "measured" && (!only || only->contains(cell));
        });
    if (!has_times) {
        throw failure(
            "nothing could be measured, for the reasons above; remove them and go on with: changeover tune "
            "--run " +
            run.journal.folder().string() + ", or start a new run");
    }
    return report;
}

// Of the first job that started
Json header_of(const RunData& data) {
    for (const Json& event : data.events) {
        if (event.at("event") == "job_header") {
            return event.at("header");
        }
    }
    return Json::object();
}

Config decided_config(const RunData& data, const Plan& plan, const std::string& folder) {
    Config config = decide(cells_of(data, "search"), plan.loss_bound);
    config.created = now_utc();
    config.run = folder;
    const Json header = header_of(load_run(folder));  // its events, also those of this process
    config.library = header.value("library", "");
    config.algorithm_values = header.value("algorithm_values", Json::object());
    config.fingerprint = data.manifest.fingerprint;
    return config;
}

const PlannedCollective& planned(const Plan& plan, const CellKey& cell) {
    const auto found =
        std::find_if(plan.collectives.begin(), plan.collectives.end(), [&](const PlannedCollective& c) {
            return c.name == cell.collective && c.operation == cell.operation;
        });
    if (found == plan.collectives.end()) {
        throw failure("the plan has no " + cell.collective + " any more; decide again: changeover decide");
    }
    return *found;
}

// The cases of one group that has all the algorithms, if the journal has one
std::vector<CaseRecord> pairs_in_journal(const RunData& data, const CellKey& cell, std::size_t bytes,
                                         const std::vector<std::string>& algorithms) {
    std::map<std::uint64_t, std::vector<CaseRecord>> groups;
    for (const CaseRecord& record : data.cases) {
        if (record.stage == "verify" && record.bytes == bytes && record.network == cell.network &&
            record.layout == cell.layout && record.collective == cell.collective &&
            record.operation == cell.operation &&
            std::find(algorithms.begin(), algorithms.end(), record.algorithm) != algorithms.end()) {
            groups[record.group].push_back(record);
        }
    }
    for (const auto& [group, records] : groups) {
        if (records.size() == algorithms.size()) {
            return records;
        }
    }
    return {};
}

// Asks the running job, unless the journal has the answer from before the run was interrupted.
MeasurePairs pairs_by(OpenRun& run, Campaign& campaign, Progress& progress, const std::string& stage,
                      std::optional<Deadline> end) {
    // Each rule in a job of its own, as users start them: on connections that a long search has warmed up,
    // TCP's windows had grown, and an algorithm won by 13% that lost by 12% in a new job.
    struct Last {
        CellKey cell;
        std::vector<std::string> algorithms;
        std::size_t bytes = 0;
    };
    return [&run, &campaign, &progress, stage, end, last = std::make_shared<Last>()](
               const CellKey& cell, std::size_t bytes,
               const std::vector<std::string>& algorithms) -> std::vector<CaseRecord> {
        if (stage == "verify") {
            std::vector<CaseRecord> known = pairs_in_journal(run.data, cell, bytes, algorithms);
            if (!known.empty()) {
                return known;
            }
        }
        if (stop_requested || (end && Clock::now() > *end)) {
            return {};
        }
        if (!(cell == last->cell) || algorithms != last->algorithms || bytes <= last->bytes) {
            campaign.end_job();
        }
        *last = {cell, algorithms, bytes};
        progress.show(
            {run.data.cases.size(), -1,
             fmt::format("{} {} {} {}", stage, cell.collective, bytes_text(bytes), to_string(cell.layout))});
        GroupAnswer answer = campaign.ask_group(stage, cell.network, cell.layout, planned(run.plan, cell),
                                                bytes, algorithms, end);
        for (const CaseRecord& record : answer.cases) {
            if (record.status != "measured") {
                progress.note(fmt::format("Warning: {} {} {} {}: {}", record.collective, record.algorithm,
                                          bytes_text(record.bytes), to_string(record.layout), record.reason));
            }
        }
        return std::move(answer.cases);
    };
}

// The rules as the library reads them, if it is one that reads them
void write_tuning_file(const std::string& folder, const Config& config) {
    if (reads_tuning_files(config.library)) {
        write_file_atomically(tuning_file(folder), emit_mpich(config, {}));
    }
}

// Whose jobs read the tuning file of the run
Cluster with_tuning_file(Cluster cluster, const std::string& folder) {
    const std::string file = std::filesystem::absolute(tuning_file(folder)).string();
    if (std::filesystem::exists(file)) {
        for (Network& network : cluster.networks) {
            network.environment.emplace_back("MPIR_CVAR_COLL_TUNING_FILE", file);
            network.environment.emplace_back("MPIR_CVAR_COLL_TUNING_NETWORK", network.name);
        }
    }
    return cluster;
}

// By the tuning file where the library reads one, so that what is proven is what people will use
Verification verify_rules(OpenRun& run, Progress& progress, const Config& config,
                          std::optional<Deadline> end) {
    const std::string folder = run.journal.folder().string();
    write_tuning_file(folder, config);
    const Cluster cluster = with_tuning_file(run.cluster, folder);
    Campaign campaign = campaign_of(run, cluster, progress);
    Verification verification = verify(config, cells_of(run.data, "search"), run.plan,
                                       pairs_by(run, campaign, progress, "verify", end));
    end_job(campaign, progress);
    if (stop_requested) {
        throw failure("stopped; nothing is lost, go on with: changeover tune --run " +
                      run.journal.folder().string());
    }
    return verification;
}

void write_verified(const std::string& folder, Config config, const Verification& verification) {
    config.rules = verification.rules;
    config.notes = verification.notes;
    config.verified = true;
    write_file_atomically(verification_file(folder),
                          to_json(verification.proofs, verification.notes).dump(1) + "\n");
    write_file_atomically(config_file(folder), to_json(config).dump(1) + "\n");
    write_tuning_file(folder, config);
}

std::optional<Deadline> end_of_budget(const Plan& plan, Deadline start) {
    if (plan.budget_seconds <= 0) {
        return std::nullopt;
    }
    return start +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(plan.budget_seconds));
}

// Measures, decides and verifies the stale cells anew; what holds in the others stays as it is.
int retune(OpenRun& run, const std::string& folder) {
    const Deadline start = Clock::now();
    const std::set<CellKey> cells = stale_cells(run.data);
    const Config old = read_config(config_file(folder));
    Progress progress;
    measure(run, progress, &cells);
    Config config = decided_config(run.data, run.plan, folder);
    std::erase_if(config.rules, [&](const Rule& rule) { return !cells.contains(cell_of(rule)); });
    Verification renewed = verify_rules(run, progress, config, end_of_budget(run.plan, start));
    const std::vector<Proof> old_proofs = proofs_from(CheckedJson::parse_file(verification_file(folder)));
    write_verified(folder, config,
                   with_cells_replaced({old.rules, old_proofs, old.notes}, std::move(renewed), cells));
    mark_retuned(run.journal);
    progress.clear();
    return summary_step(folder);
}

// What was measured of each network, and what it was
std::string networks_text(const RunData& data, const NetworkParameters& parameters) {
    std::set<std::string> used;
    for (const CaseRecord& record : data.cases) {
        if (record.layout.nodes > 1 && (!record.device.empty() || !record.interface.empty())) {
            used.insert(fmt::format("{}: {}{}", record.network, record.device,
                                    record.interface.empty() ? "" : " on interface " + record.interface));
        }
    }
    std::string text = "\n";
    for (const std::string& line : used) {
        text += "Network " + line + "\n";
    }
    return parameters.empty()
               ? text
               : text + "Messages of two ranks (LogGP, 95% intervals):\n" + parameters_table(parameters);
}

Costs costs_of(const RunData& data) {
    Costs costs;
    for (const CaseRecord& record : data.cases) {
        costs.benchmark_seconds += record.seconds_spent;
        ++costs.cases;
    }
    return costs;
}

// What was gained for the calls of the program, weighted by their time; on each network of the run
void tell_gains(const TuneOptions& options) {
    if (options.profile.empty()) {
        return;
    }
    const trace::LoadedTrace profile(options.profile);
    for (const std::string& network : networks_of(read_config(config_file(options.folder)))) {
        trace::KnownRun run(options.folder, network);
        fmt::print("\nFor the calls of {} on {}:\n{}", options.profile, network,
                   trace::to_text(trace::gains_of(profile.analysis, run), profile.analysis.program_seconds));
    }
}

}  // namespace

int tune(const TuneOptions& options) {
    const Deadline start = Clock::now();
    OpenRun run = open_run(options);
    if (std::filesystem::exists(verification_file(options.folder))) {
        if (!stale_cells(run.data).empty()) {
            return retune(run, options.folder);  // which was interrupted
        }
        fmt::print(stderr, "The run in {} is complete; to measure anew, name another --run\n",
                   options.folder);
        return summary_step(options.folder);
    }
    if (!run.cluster.note().empty()) {
        fmt::print(stderr, "{}\n", run.cluster.note());
    }
    Progress progress;
    measure(run, progress);
    if (run.plan.collectives.empty()) {  // nothing to decide
        progress.clear();
        report::write_report({options.folder});
        return summary_step(options.folder);
    }
    const Config config = decided_config(run.data, run.plan, options.folder);
    write_file_atomically(config_file(options.folder), to_json(config).dump(1) + "\n");
    write_verified(options.folder, config,
                   verify_rules(run, progress, config, end_of_budget(run.plan, start)));
    progress.clear();
    const int status = summary_step(options.folder);
    tell_gains(options);
    report::write_report({options.folder});
    return status;
}

int measure_step(const TuneOptions& options) {
    OpenRun run = open_run(options);
    Progress progress;
    const CampaignReport report = measure(run, progress);
    progress.clear();
    fmt::print("{} cases measured; next: changeover {} --run {}\n", report.cases,
               run.plan.collectives.empty() ? "report" : "decide", options.folder);
    return 0;
}

int decide_step(const std::string& folder) {
    RunData data = load_run(folder);
    forget_stale(data);
    const Plan plan = plan_from(CheckedJson(data.manifest.plan, folder + "/manifest.json"));
    const Config config = decided_config(data, plan, folder);
    write_file_atomically(config_file(folder), to_json(config).dump(1) + "\n");
    fmt::print("{} rules in {}, not verified; next: changeover verify --run {}\n", config.rules.size(),
               config_file(folder), folder);
    return 0;
}

int verify_step(const std::string& folder) {
    OpenRun run = resume_run(folder);
    Progress progress;
    const Config config = decided_config(run.data, run.plan, folder);
    write_verified(folder, config, verify_rules(run, progress, config, {}));
    progress.clear();
    return summary_step(folder);
}

int summary_step(const std::string& folder) {
    const RunData data = load_run(folder);
    const ExchangeCurves exchanges = exchange_curves(data);
    if (exchanges.empty() || std::filesystem::exists(config_file(folder))) {
        const Config config = read_config(config_file(folder));
        std::vector<Proof> proofs;
        if (std::filesystem::exists(verification_file(folder))) {
            proofs = proofs_from(CheckedJson::parse_file(verification_file(folder)));
        }
        fmt::print("{}", summary_text(config, proofs, costs_of(data), folder));
    }
    fmt::print("{}", headlines_table(exchanges));
    fmt::print("{}", networks_text(data, load_network_parameters(folder)));
    std::fflush(stdout);  // before whatever is told on standard error
    return 0;
}

int dry_run(const TuneOptions& options) {
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
    return 0;
}

namespace {

// Measures each rule again at sizes near its ends, on both sides, and tells which cells have rules that do
// not hold any more.
std::set<CellKey> find_stale(const Config& config, OpenRun& run) {
    Progress progress;
    Campaign campaign = campaign_of(run, run.cluster, progress);
    const MeasurePairs measure = pairs_by(run, campaign, progress, "check", {});
    const Cells cells = cells_of(run.data, "search");
    std::set<CellKey> stale;
    std::vector<std::string> findings;
    for (const Rule& rule : config.rules) {
        const std::string finding = stale_reason(config, rule, cells, measure);
        if (!finding.empty()) {
            stale.insert(cell_of(rule));
            findings.push_back(finding);
        }
    }
    end_job(campaign, progress);
    progress.clear();
    if (stop_requested) {
        throw failure("stopped before all rules were checked");
    }
    for (const std::string& finding : findings) {
        fmt::print("stale: {}\n", finding);
    }
    fmt::print("{} of {} rules hold\n", config.rules.size() - findings.size(), config.rules.size());
    return stale;
}

}  // namespace

int check_step(const std::string& folder, bool retune_stale) {
    const Config config = read_config(config_file(folder));
    if (!config.verified) {
        throw wrong_use(config_file(folder) + " is not verified; try: changeover verify --run " + folder);
    }
    {
        OpenRun run = resume_run(folder);
        std::set<CellKey> stale = stale_cells(run.data);
        const bool was_interrupted = !stale.empty();
        if (was_interrupted) {
            fmt::print("{} cell{} found stale before, and not tuned again yet\n", stale.size(),
                       stale.size() == 1 ? " was" : "s were");
        } else {
            stale = find_stale(config, run);
        }
        if (stale.empty()) {
            return 0;
        }
        if (!retune_stale) {
            fmt::print("next: changeover check --retune --run {}\n", folder);
            return exit_stale;
        }
        for (const CellKey& cell : stale) {
            if (!was_interrupted) {
                mark_stale(run.journal, run.data, cell);
            }
        }
    }
    OpenRun run = resume_run(folder);  // without what is stale
    return retune(run, folder);
}

int environment_step(const std::string& cluster_file) {
    TuneOptions options;
    options.cluster_file = cluster_file;
    const Cluster cluster = cluster_of(options);
    fmt::print("machine   {}\n", environment_of_this_machine().dump());
    fmt::print("cluster   {}{}\n", cluster.name, cluster.note().empty() ? "" : "; " + cluster.note());
    fmt::print("launcher  {}\n", cluster.mpiexec);
    for (const MpiLibrary& library : mpi_libraries()) {
        const std::string file = beside_this_program(library.benchmark);
        fmt::print("benchmark {} {}\n", library.name,
                   std::filesystem::exists(file) ? file : "is not built here");
    }
    int status = 0;
    for (const Network& network : cluster.networks) {
        for (const Layout& layout : cluster.layouts) {
            fmt::print("{} {}\n", network.name, to_string(layout));
            try {
                Job job(cluster, network, layout, new_token(), 60);
                fmt::print("  {:<14} {}\n", "network", network_text(job.header()));
                for (const char* key :
                     {"library", "device", "can_switch", "cpu", "cores", "clock", "sync_error_us", "start"}) {
                    if (job.header().contains(key)) {
                        fmt::print("  {:<14} {}\n", key, job.header().at(key).dump());
                    }
                }
                job.end();
            } catch (const Error& error) {
                fmt::print("  Error: {}\n", error.what());
                status = 1;
            }
        }
    }
    return status;
}

}  // namespace tuner

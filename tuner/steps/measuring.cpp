// SPDX-License-Identifier: MIT
#include "measuring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cells.hpp"
#include "command.hpp"
#include "estimate_text.hpp"
#include "extent.hpp"
#include "job.hpp"
#include "launcher.hpp"
#include "link_questions.hpp"
#include "network_changes.hpp"
#include "next_layout.hpp"
#include "prior_run.hpp"
#include "slurm.hpp"
#include "units.hpp"

namespace tuner::commands {

namespace {

// Shares of a budget
constexpr double usual_share_of_search = 0.65;
constexpr double share_if_it_chooses = 0.5;     // layouts: rules for all others are to be verified, too
constexpr double share_of_networks = 0.1;       // messages of two ranks; part of the share of the search
constexpr double share_of_exchanges = 0.2;      // if there are collectives to tune as well
constexpr double share_of_first_layouts = 0.5;  // of the time for the search, if layouts are chosen
constexpr double share_of_next_layout = 0.34;   // of what is left of it

// Counts all of both; what is said is that of the later one
void add(CampaignReport& report, CampaignReport later) {
    later.cases += report.cases;
    later.benchmark_seconds += report.benchmark_seconds;
    report = std::move(later);
}

std::optional<Deadline> share_end(const Plan& plan, double share) {
    return plan.budget_seconds > 0 ? std::optional(in_seconds(share * plan.budget_seconds)) : std::nullopt;
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
    for (const CaseRecord& record : report.crashed) {
        progress.note(fmt::format("Warning: {} {} {} {} failed: {}", record.collective, record.algorithm,
                                  bytes_text(record.bytes), to_string(record.layout), record.reason));
    }
    note_coarse(report, progress);
    if (report.expected_loss) {
        progress.note(
            fmt::format("On the measured layouts, rules from what is known now are expected to lose {:.1f}% "
                        "against the best algorithms",
                        100 * *report.expected_loss));
    }
}

// By the messages that are known now
void tell_time_left(const OpenRun& run, Progress& progress, Deadline start) {
    const RunData now = load_run(run.files.folder());  // with the times of the jobs that this process started
    const Estimate left = estimate(run.cluster, run.plan, now, load_network_parameters(run.files.folder()),
                                   std::chrono::duration<double>(Clock::now() - start).count());
    if (!left.measuring.empty()) {
        progress.note(estimate_summary("Estimated time that is left", left, run.plan));
    }
}

// `is_all`: not only of some cells that are measured again
CampaignReport measure_messages(OpenRun& run, Campaign& campaign, Progress& progress, bool is_all) {
    const Deadline start = Clock::now();
    CampaignReport report = campaign.measure_networks(share_end(run.plan, share_of_networks));
    save_network_parameters(run.files.folder(), fit_network_parameters(run.data, run.cluster));
    note_coarse(report, progress);
    if (report.stopped || !is_all) {
        return report;
    }
    if (report.cases > 0) {
        tell_time_left(run, progress, start);
    }
    add(report, campaign.measure_exchanges(
                    share_end(run.plan, run.plan.collectives.empty() ? 1 : share_of_exchanges)));
    note_coarse(report, progress);
    return report;
}

std::optional<Deadline> part_of(const std::optional<Deadline>& end, double share) {
    return end ? std::optional(in_seconds(share * seconds_until(*end))) : std::nullopt;
}

NextLayout next_layout_of(const OpenRun& run, const std::optional<Deadline>& end) {
    const SavedRun saved(run.files.folder());  // with the headers of the jobs that this process started
    const Cells cells = cells_of(run.data, Stage::search);
    const std::vector<Layout>& tried = run.cluster.layouts;  // also those that did not start
    LayoutChoice choice;
    choice.extent = extent_of(run.cluster);
    choice.jobs = run.cluster.jobs;
    choice.can_start = [&](const Layout& layout) {
        return std::find(tried.begin(), tried.end(), layout) == tried.end() &&
               have_room(run.cluster.hosts, layout) && launching_problem(run.cluster, layout).empty();
    };
    if (end) {
        choice.seconds = seconds_until(*end);
    }
    return next_layout(cells, shapes_of(cells, saved.data(), saved.network_parameters()), run.plan, choice);
}

void tell_loss(const NextLayout& next, const std::string& remedy, Progress& progress) {
    if (next.expected_loss) {
        progress.note(fmt::format(
            "Over all jobs of the cluster, rules from the layouts measured so far are expected to "
            "lose {:.1f}% against the best algorithms{}",
            100 * *next.expected_loss, next.layout ? "; " + remedy : ""));
    }
}

std::set<CellKey> cells_on(const OpenRun& run, const Layout& layout) {
    std::set<CellKey> cells;
    for (const Network& network : run.cluster.networks) {
        for (const PlannedCollective& collective : run.plan.collectives) {
            cells.insert({network.name, layout, collective.name, collective.operation});
        }
    }
    return cells;
}

// One layout after the other, until all jobs of the cluster are expected to lose little, or the time is up
void search_next_layouts(OpenRun& run, Campaign& campaign, Progress& progress,
                         const std::optional<Deadline>& search_end, CampaignReport& report) {
    while (!report.stopped) {
        progress.show({run.data.cases.size(), -1, "choosing the next layout"});
        const std::optional<Deadline> end = part_of(search_end, share_of_next_layout);
        const NextLayout next = next_layout_of(run, end);
        const bool is_time_up = search_end && *search_end < in_seconds(next.seconds);
        const bool are_enough = run.cluster.layouts.size() >= most_layouts;
        if (!next.layout || is_time_up || are_enough) {
            tell_loss(next,
                      are_enough
                          ? fmt::format("the tuner chooses at most {} layouts; a list of \"layouts\" in the "
                                        "cluster file may have more",
                                        most_layouts)
                          : "more time (--budget) would lower it",
                      progress);
            return;
        }
        progress.note(fmt::format("Next layout: {} (expected loss over all jobs of the cluster: {:.1f}%)",
                                  to_string(*next.layout), 100 * *next.expected_loss));
        Json event = {{"expected_loss", *next.expected_loss}};
        add_layout(event, *next.layout);
        run.journal.append_event(layout_chosen_event, event);
        run.cluster.layouts.push_back(*next.layout);
        const std::set<CellKey> cells = cells_on(run, *next.layout);
        add(report,
            campaign.search(end ? std::optional(std::max(*end, in_seconds(next.seconds))) : end, &cells));
    }
}

// Each collective on each layout that could be started
bool is_all_measured(const OpenRun& run, const CampaignReport& report) {
    const Cells cells = cells_of(run.data, Stage::search);
    return std::all_of(run.cluster.layouts.begin(), run.cluster.layouts.end(), [&](const Layout& layout) {
        const auto did_fail = [&](const FailedLayout& failed) { return failed.layout == layout; };
        const std::set<CellKey> wanted = cells_on(run, layout);
        return std::any_of(report.failed.begin(), report.failed.end(), did_fail) ||
               std::all_of(wanted.begin(), wanted.end(),
                           [&](const CellKey& key) { return cells.contains(key); });
    });
}

CampaignReport search(OpenRun& run, Campaign& campaign, Progress& progress,
                      const std::optional<Deadline>& end, const std::set<CellKey>* only) {
    if (!run.cluster.chooses_layouts || only != nullptr || run.plan.collectives.empty()) {
        return campaign.search(end, only);
    }
    CampaignReport report = campaign.search(part_of(end, share_of_first_layouts));
    if (is_all_measured(run, report)) {  // else the time is short already
        search_next_layouts(run, campaign, progress, end, report);
    }
    if (!report.stopped) {  // what is not known as well as the plan wants, if there is time left
        add(report, campaign.search(end));
    }
    return report;
}

// "Nothing to change" would be the wrong conclusion without any
bool has_times(const RunData& data, const std::set<CellKey>* only) {
    return std::any_of(data.cases.begin(), data.cases.end(), [&](const CaseRecord& record) {
        const CellKey cell = {record.network, record.layout, record.collective, record.operation};
        return (record.stage == Stage::search || record.stage == Stage::exchange) &&
               record.status == Status::measured && (!only || only->contains(cell));
    });
}

// Who does not answer twice is named now, and not after the time limit of a job. If nobody does, it is rather
// the launcher: then the words of the first job help.
void require_hosts(const OpenRun& run, const Cluster& cluster) {
    if (cluster.is_allocated) {
        return;
    }
    const int hosts = static_cast<int>(cluster.hosts.size());
    for (const Network& network : cluster.networks) {
        std::vector<std::string> silent;
        for (const double seconds : {4, 10}) {  // most answer at once
            silent = silent_hosts(cluster, network, {hosts, 1, Mapping::block}, seconds);
            if (silent.empty()) {
                break;
            }
        }
        if (!silent.empty() && static_cast<int>(silent.size()) < hosts) {
            throw failure(fmt::format(
                "{} of network {} cannot be reached: is the name right, and does the launcher start programs "
                "there? Once fixed, go on with: changeover tune --run {}; for other hosts, start a new run",
                fmt::join(silent, ", "), network.name, shell_quoted(run.files.folder())));
        }
    }
}

}  // namespace

double share_of_search(const Cluster& cluster) {
    return cluster.chooses_layouts ? share_if_it_chooses : usual_share_of_search;
}

// Outside of an allocation srun would ask for one, and wait for it
void require_allocation(const OpenRun& run) {
    if (run.cluster.is_allocated && !slurm_allocation()) {
        throw usage_error(
            fmt::format("the run in {0} measures inside an allocation of Slurm, and this process is not in "
                        "one; submit the job again, or try: salloc ... changeover tune --run {1}",
                        run.files.folder(), shell_quoted(run.files.folder())));
    }
}

Campaign campaign_of(OpenRun& run, const Cluster& cluster, Progress& progress) {
    require_allocation(run);
    require_hosts(run, cluster);
    return Campaign(cluster, run.plan, run.journal, run.data, progress);
}

void end_job(Campaign& campaign, Progress& progress) {
    campaign.end_job();
    for (const std::string& text : campaign.leftover_processes()) {
        progress.note("Warning: " + text);
    }
}

Error stopped(const OpenRun& run) {
    return failure("stopped; nothing is lost, resume with: changeover tune --run " +
                   shell_quoted(run.files.folder()));
}

CampaignReport measure(OpenRun& run, Progress& progress, const std::set<CellKey>* only) {
    Campaign campaign = campaign_of(run, run.cluster, progress);
    campaign.set_prior(prior_of(run));
    const std::optional<Deadline> search_end = share_end(run.plan, share_of_search(run.cluster));
    CampaignReport report =
        measure_messages(run, campaign, progress, !only || !network_changes(run.data).empty());
    if (!report.stopped) {
        add(report, search(run, campaign, progress, search_end, only));
    }
    tell(report, progress);
    end_job(campaign, progress);
    if (report.stopped) {
        throw stopped(run);
    }
    if (!has_times(run.data, only)) {
        throw failure(
            "nothing could be measured, see the warnings above; once fixed, resume with: changeover tune "
            "--run " +
            shell_quoted(run.files.folder()) + ", or start a new run");
    }
    return report;
}

std::optional<Deadline> end_of_budget(const Plan& plan, Deadline start) {
    if (plan.budget_seconds <= 0) {
        return std::nullopt;
    }
    return start +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(plan.budget_seconds));
}

}  // namespace tuner::commands

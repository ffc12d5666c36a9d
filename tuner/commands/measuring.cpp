// SPDX-License-Identifier: MIT
#include "measuring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "command.hpp"
#include "link_questions.hpp"
#include "slurm.hpp"
#include "units.hpp"

namespace tuner::commands {

namespace {

// Shares of a budget
constexpr double share_of_search = 0.65;    // the rest is for verification
constexpr double share_of_networks = 0.1;   // messages of two ranks; part of the share of the search
constexpr double share_of_exchanges = 0.2;  // if there are collectives to tune as well

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
}

CampaignReport measure_messages(OpenRun& run, Campaign& campaign, Progress& progress, bool with_exchanges) {
    CampaignReport report = campaign.measure_networks(share_end(run.plan, share_of_networks));
    save_network_parameters(run.files.folder(), fit_network_parameters(run.data, run.cluster));
    note_coarse(report, progress);
    if (report.stopped || !with_exchanges) {
        return report;
    }
    const std::size_t before = report.cases;
    report = campaign.measure_exchanges(
        share_end(run.plan, run.plan.collectives.empty() ? 1 : share_of_exchanges));
    report.cases += before;
    note_coarse(report, progress);
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

}  // namespace

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
    const std::optional<Deadline> search_end = share_end(run.plan, share_of_search);
    CampaignReport report = measure_messages(run, campaign, progress, !only);
    if (!report.stopped) {
        const std::size_t before = report.cases;
        report = campaign.search(search_end, only);
        report.cases += before;
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

// SPDX-License-Identifier: MIT
// Runs or resumes a small campaign with the real benchmark, to be killed: campaign_run FOLDER
#include <cstdio>

#include "campaign.hpp"
#include "error.hpp"

int main(int argc, char** argv) {
    using namespace tuner;
    if (argc != 2) {
        return 2;
    }
    try {
        Cluster cluster = this_machine();
        cluster.benchmark = BENCHMARK;
        cluster.changeover = CHANGEOVER;
        cluster.layouts = {{2, 2, Mapping::block}, {3, 2, Mapping::block}};
        Plan plan;
        plan.exhaustive = true;  // what is to be measured does not depend on times
        plan.changeover_factor = 4;
        plan.case_seconds = 0.05;
        plan.collectives = {{"bcast", "", "", 8, 1 << 18}, {"allreduce", "float", "sum", 8, 1 << 14}};
        const std::filesystem::path folder = argv[1];
        RunData run;
        Journal journal = std::filesystem::exists(folder / "manifest.json")
                              ? Journal::resume(folder, run)
                              : Journal::create(folder, Manifest{});
        Progress progress;
        Campaign campaign(cluster, plan, journal, run, progress);
        const CampaignReport report = campaign.search();
        campaign.end_job();
        for (const CaseRecord& record : report.crashed) {
            std::fprintf(stderr, "crashed: %s\n", record.reason.c_str());
        }
        return report.crashed.empty() && report.failed.empty() && campaign.leftover_processes().empty() ? 0
                                                                                                        : 1;
    } catch (const Error& error) {
        std::fprintf(stderr, "Error: %s\n", error.what());
        return error.exit_code();
    }
}

// SPDX-License-Identifier: MIT
// Do the rules still hold? Sizes near their ends are measured again; stale rules can be replaced.
#include <fmt/core.h>

#include <memory>
#include <set>

#include "decide.hpp"
#include "error.hpp"
#include "run_options.hpp"
#include "run_summary.hpp"
#include "sentinels.hpp"
#include "stale.hpp"
#include "verifying.hpp"

namespace tuner::commands {

namespace {

constexpr int exit_stale = 3;

// Measures each rule again at sizes near its ends, on both sides; the cells with rules that do not hold
std::set<CellKey> find_stale(const Config& config, OpenRun& run) {
    Progress progress;
    Campaign campaign = campaign_of(run, run.cluster, progress);
    const MeasurePairs measure = pairs_by(run, campaign, progress, Stage::check, {});
    const Cells cells = cells_of(run.data, Stage::search);
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

// Stale cells, found now or before an interrupted --retune
std::set<CellKey> stale_now(const Config& config, OpenRun& run) {
    const std::set<CellKey> before = stale_cells(run.data);
    if (before.empty()) {
        return find_stale(config, run);
    }
    fmt::print("{} stale and not yet tuned again\n",
               before.size() == 1 ? "1 cell is" : fmt::format("{} cells are", before.size()));
    return before;
}

int check(const std::string& folder, bool replace_stale) {
    const RunFiles files(folder);
    const Config config = read_config(files.config());
    if (!config.verified) {
        throw usage_error(files.config() + " is not verified; try: changeover verify --run " + folder);
    }
    {
        OpenRun run = resumed_run(folder);
        const bool was_interrupted = !stale_cells(run.data).empty();
        const std::set<CellKey> stale = stale_now(config, run);
        if (stale.empty()) {
            return 0;
        }
        if (!replace_stale) {
            fmt::print("next: changeover check --retune --run {}\n", folder);
            return exit_stale;
        }
        for (const CellKey& cell : stale) {
            if (!was_interrupted) {
                mark_stale(run.journal, run.data, cell);
            }
        }
    }
    OpenRun run = resumed_run(folder);  // without what is stale
    retune(run);
    print_summary(folder);
    return 0;
}

}  // namespace

void define_check(CLI::App& command, Invocation& invocation) {
    struct Options {
        std::string folder = default_run;
        bool retune = false;
    };
    const auto o = std::make_shared<Options>();
    add_run_option(command, o->folder);
    command.add_flag("--retune", o->retune, "measure, decide and verify stale rules again");
    command.callback([o, &invocation] { invocation.exit_code = check(o->folder, o->retune); });
}

}  // namespace tuner::commands

// SPDX-License-Identifier: MIT
// Do the rules still hold? Sizes near their ends are measured again, then the links of the networks; stale
// rules can be replaced, and all of a network that changed.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "changed_networks.hpp"
#include "command_lines.hpp"
#include "commands.hpp"
#include "decide.hpp"
#include "error.hpp"
#include "output.hpp"
#include "proofs.hpp"
#include "report.hpp"
#include "run_options.hpp"
#include "run_state.hpp"
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
    const std::vector<Proof> proofs = proofs_of(run.files);
    const JobVariances variances = variances_in(run.files);
    std::set<CellKey> stale;
    std::vector<std::string> findings;
    std::vector<double> visible_losses;
    const std::vector<Rule> rules = rules_to_check(config, proofs);
    for (const Rule& rule : rules) {
        const CheckedRule checked = check_rule(config, rule, cells, proofs, variances, measure);
        visible_losses.push_back(checked.visible_loss);
        if (!checked.stale_reason.empty()) {
            stale.insert(cell_of(rule));
            findings.push_back(checked.stale_reason);
        }
    }
    end_job(campaign, progress);
    progress.clear();
    if (stop_requested) {
        throw failure("stopped before all rules were checked");
    }
    for (const std::string& finding : findings) {
        print_data("stale: {}\n", finding);
    }
    print_data("{} of {} rules hold\n", rules.size() - findings.size(), rules.size());
    if (!visible_losses.empty()) {
        std::sort(visible_losses.begin(), visible_losses.end());
        print_data("this check finds a loss of {:.0f}% in half of the rules, of {:.0f}% in all\n",
                   100 * models::median(visible_losses), 100 * visible_losses.back());
    }
    return stale;
}

// Which link parameters of these networks are others than those that were measured
std::vector<MovedParameter> moved_now(OpenRun& run, const std::set<std::string>& networks) {
    std::vector<MovedParameter> moved = find_moved(run, networks);
    for (const MovedParameter& parameter : moved) {
        print_data("network {}: {}\n", parameter.network, to_string(parameter));
    }
    return moved;
}

std::set<std::string> networks_of(const std::vector<MovedParameter>& moved) {
    std::set<std::string> networks;
    for (const MovedParameter& parameter : moved) {
        networks.insert(parameter.network);
    }
    return networks;
}

// Those of the run that are asked for; all, if none is named
std::set<std::string> networks_to_check(const OpenRun& run, const std::vector<std::string>& asked) {
    std::set<std::string> all;
    for (const Network& network : run.cluster.networks) {
        all.insert(network.name);
    }
    for (const std::string& name : asked) {
        if (!all.contains(name)) {
            throw usage_error(fmt::format("--network: the run has no network '{}'; its networks are: {}",
                                          name, fmt::join(all, ", ")));
        }
    }
    return asked.empty() ? all : std::set(asked.begin(), asked.end());
}

// Finds what is stale, and marks it if it is to be replaced; the number of cells. Rules of a network that
// changed are replaced in any case: then they need not be measured first.
std::size_t find_and_mark(OpenRun& run, const std::set<std::string>& networks, bool replace_stale) {
    Config config = read_config(run.files.config());
    std::erase_if(config.rules, [&](const Rule& rule) { return !networks.contains(rule.network); });
    std::vector<MovedParameter> moved;
    std::set<CellKey> stale;
    if (replace_stale) {
        moved = moved_now(run, networks);
        Config others = config;
        std::erase_if(others.rules,
                      [&](const Rule& rule) { return networks_of(moved).contains(rule.network); });
        stale = others.rules.empty() ? std::set<CellKey>() : find_stale(others, run);
    } else {
        stale = find_stale(config, run);
        moved = moved_now(run, networks);
    }
    stale.merge(cells_of_networks(run, config, networks_of(moved)));
    for (const std::string& network : networks_of(moved)) {
        print_data("all cells of network {} are stale\n", network);
    }
    if (replace_stale) {
        mark_all(run, stale, moved);
    }
    return stale.size();
}

// Stale cells, found now or before an interrupted --retune; their number
std::size_t count_stale(OpenRun& run, const std::set<std::string>& networks, bool replace_stale) {
    const std::size_t before = stale_cells(run.data).size();
    if (before == 0) {
        return find_and_mark(run, networks, replace_stale);
    }
    print_data("{} stale and not yet tuned again\n",
               before == 1 ? "1 cell is" : fmt::format("{} cells are", before));
    return before;
}

struct CheckOptions : ResumeOptions {
    std::vector<std::string> networks;  // empty: all
    bool retune = false;
};

void print_next(const CheckOptions& options) {
    std::vector<std::string> words = {"check", "--retune"};
    for (const std::string& network : options.networks) {
        words.insert(words.end(), {"--network", network});
    }
    words.insert(words.end(), {"--run", options.folder});
    print_data("next: {}\n", changeover_command(words));
}

int check(const CheckOptions& options) {
    {
        OpenRun run = resumed_run(options);
        const std::set<std::string> networks = networks_to_check(run, options.networks);
        const RunState state = run_state(run.files, run.data);
        if (state == RunState::undecided || state == RunState::unverified) {
            throw usage_error(state_note(state, run.files));
        }
        if (count_stale(run, networks, options.retune) == 0) {
            return 0;
        }
        if (!options.retune) {
            print_next(options);
            return exit_stale;
        }
    }
    OpenRun run = resumed_run(options);  // without what is stale
    retune(run);
    print_summary(options.folder);
    report::write_report({options.folder});
    return 0;
}

}  // namespace

void define_check(CLI::App& command, Invocation& invocation) {
    const auto o = std::make_shared<CheckOptions>();
    add_resume_options(command, *o);
    command.add_option("--network", o->networks, "check only this network, e.g. the one that was replaced");
    command.add_flag("--retune", o->retune,
                     "measure, decide and verify stale rules again, and all of networks that changed");
    command.callback([o, &invocation] { invocation.exit_code = check(*o); });
}

}  // namespace tuner::commands

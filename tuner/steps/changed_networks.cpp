// SPDX-License-Identifier: MIT
#include "changed_networks.hpp"

#include <algorithm>
#include <map>

#include "decide.hpp"
#include "link_questions.hpp"
#include "measuring.hpp"
#include "stale.hpp"

namespace tuner::commands {

namespace {

// The networks that were measured, on the layouts of then: ranks that wait may disturb those that exchange
Cluster as_measured(Cluster cluster, const NetworkParameters& before) {
    std::erase_if(cluster.networks, [&](const Network& network) {
        return std::none_of(before.begin(), before.end(),
                            [&](const LinkParameters& link) { return link.network == network.name; });
    });
    cluster.layouts.clear();
    for (const LinkParameters& link : before) {
        cluster.layouts.push_back(link.layout);
    }
    return cluster;
}

// Of these links
std::vector<MovedParameter> moved_in_new_job(OpenRun& run, const NetworkParameters& before) {
    std::set<Link> links;
    for (const LinkParameters& link : before) {
        links.insert(link.link);
    }
    Progress progress;
    const Cluster cluster = as_measured(run.cluster, before);
    Campaign campaign = campaign_of(run, cluster, progress);
    const LinkCases cases = {Stage::check, run.data.cases.empty() ? 0 : run.data.cases.back().group, links};
    const CampaignReport report = campaign.measure_networks({}, cases);
    end_job(campaign, progress);
    progress.clear();
    if (report.stopped) {
        throw failure("stopped before all networks were measured again");
    }
    return moved_parameters(before, fit_network_parameters(run.data, cluster, cases));
}

}  // namespace

std::vector<MovedParameter> find_moved(OpenRun& run, const std::set<std::string>& networks) {
    NetworkParameters before = fit_network_parameters(run.data, run.cluster);
    std::erase_if(before, [&](const LinkParameters& link) { return !networks.contains(link.network); });
    std::vector<MovedParameter> moved;
    if (!before.empty()) {
        moved = moved_in_new_job(run, before);
    }
    std::erase_if(before, [&](const LinkParameters& link) {
        return std::none_of(moved.begin(), moved.end(), [&](const MovedParameter& m) {
            return m.network == link.network && m.link == link.link;
        });
    });
    if (!before.empty()) {
        const std::vector<MovedParameter> again = moved_in_new_job(run, before);
        std::erase_if(moved, [&](const MovedParameter& m) {
            return std::none_of(again.begin(), again.end(),
                                [&](const MovedParameter& other) { return m.is_same_as(other); });
        });
    }
    return moved;
}

std::set<CellKey> cells_of_networks(const OpenRun& run, const Config& config,
                                    const std::set<std::string>& networks) {
    std::set<CellKey> cells;
    for (const std::string& network : networks) {
        for (const Layout& layout : run.cluster.layouts) {
            for (const PlannedCollective& collective : run.plan.collectives) {
                cells.insert({network, layout, collective.name, collective.operation});
            }
        }
    }
    for (const Rule& rule : config.rules) {
        if (networks.contains(rule.network) && !is_predicted(rule)) {
            cells.insert(cell_of(rule));
        }
    }
    return cells;
}

void mark_all(OpenRun& run, const std::set<CellKey>& stale, const std::vector<MovedParameter>& moved) {
    std::map<std::string, std::vector<std::string>> by_network;
    for (const MovedParameter& parameter : moved) {
        by_network[parameter.network].push_back(to_string(parameter));
    }
    const std::size_t all = by_network.size() + stale.size();
    std::size_t number = 0;
    for (const auto& [network, texts] : by_network) {
        mark_changed(run.journal, run.data, network, texts, ++number, all);
    }
    for (const CellKey& cell : stale) {
        mark_stale(run.journal, run.data, cell, ++number, all);
    }
}

}  // namespace tuner::commands

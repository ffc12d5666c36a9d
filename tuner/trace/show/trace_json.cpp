// SPDX-License-Identifier: MIT
// An analysed trace as JSON for programs.
#include "classes.hpp"
#include "statistics.hpp"
#include "trace_text.hpp"

namespace tuner::trace {

namespace {

double mean_of(const std::vector<double>& samples) {
    return samples.empty() ? 0 : models::mean(samples);
}

Json to_json(const Breakdown& costs) {
    Json json;
    for (std::size_t i = 0; i < cost_names.size(); ++i) {
        json[cost_names[i]] = costs.seconds[i];
    }
    return json;
}

Json to_json(const Orders& orders) {
    Json waits = Json::array();
    for (const auto& of_rank : orders.wait_seconds) {
        waits.push_back({{"median", median_of(of_rank)}, {"mean", mean_of(of_rank)}});
    }
    return {{"order_of_rank", orders.counts}, {"wait_seconds_of_rank", waits}};
}

Json to_json(const LinkTimes& times, double calls) {
    return {{"messages", static_cast<double>(times.messages) / calls},
            {"bytes", times.bytes / calls},
            {"transfer_seconds", median_of(times.transfer_seconds)},
            {"wait_seconds", median_of(times.wait_seconds)},
            {"pass_on_seconds", median_of(times.pass_on_seconds)}};
}

Json to_json(const CriticalPaths& path) {
    Json links = Json::array();
    for (const auto& [link, seconds] : path.link_seconds) {
        links.push_back({{"from_node", link.from}, {"to_node", link.to}, {"seconds", seconds}});
    }
    Json ranks = Json::object();
    for (const auto& [rank, seconds] : path.rank_seconds) {
        ranks[std::to_string(rank)] = seconds;
    }
    return {{"costs_seconds", to_json(path.costs)},
            {"messages", path.messages},
            {"between_nodes", links},
            {"seconds_of_rank", ranks}};
}

Json to_json(const Kind& kind) {
    const auto calls = static_cast<double>(kind.calls.size());
    Json stages = Json::array();
    for (const StageTimes& stage : kind.stages) {
        stages.push_back({{"within", to_json(stage.at(Link::within_node), calls)},
                          {"between", to_json(stage.at(Link::between_nodes), calls)},
                          {"busiest_interface_bytes", stage.busiest_bytes / calls},
                          {"exchanged_bytes", stage.busiest_exchanged_bytes / calls}});
    }
    Json of_rank = Json::array();
    for (const Breakdown& costs : kind.costs_of_rank) {
        of_rank.push_back(to_json(costs));
    }
    Json classes = Json::array();
    for (const RankClass& of : classes_of(kind)) {
        classes.push_back({{"ranks", of.ranks},
                           {"representative", of.representative},
                           {"stage_seconds", of.stage_seconds}});
    }
    return {{"collective", kind.key.collective},
            {"algorithm", kind.key.algorithm},
            {"bytes", kind.key.bytes},
            {"ranks", kind.key.shape.ranks},
            {"nodes", kind.key.shape.nodes},
            {"shape", to_string(kind.key.shape)},
            {"nonblocking", kind.key.is_nonblocking},
            {"calls", kind.calls.size()},
            {"call_seconds", median_of(kind.seconds)},
            {"whole_call_seconds", median_of(kind.whole_seconds)},
            {"latency_seconds", median_of(kind.latency_seconds)},
            {"costs_seconds", to_json(kind.costs)},
            {"costs_seconds_of_rank", of_rank},
            {"arrivals", to_json(kind.arrivals)},
            {"departures", to_json(kind.departures)},
            {"stages", stages},
            {"critical_path", to_json(kind.path)},
            {"classes", classes}};
}

Json critical_json(const Trace& trace, const std::optional<Critical>& critical) {
    if (!critical) {
        return nullptr;
    }
    Json json;
    switch (critical->what) {
        case Critical::What::rank:
            json = {{"rank", critical->node}, {"host", trace.host_of_rank(critical->node)}};
            break;
        case Critical::What::link:
            json = {{"from_node", critical->link.from},
                    {"from_host", trace.host_of(critical->link.from)},
                    {"to_node", critical->link.to},
                    {"to_host", trace.host_of(critical->link.to)}};
            break;
        case Critical::What::node:
            json = {{"node", critical->node}, {"host", trace.host_of(critical->node)}};
            break;
    }
    json["share"] = critical->share;
    json["slower"] = critical->slower;
    return json;
}

}  // namespace

Json to_json(const LoadedTrace& loaded) {
    const Analysis& analysis = loaded.analysis;
    const Alignment& alignment = loaded.matched.alignment;
    Json arrivals = Json::array();
    for (const RankArrivals& rank : analysis.arrivals) {
        arrivals.push_back({{"rank", rank.rank},
                            {"host", loaded.trace.host_of_rank(rank.rank)},
                            {"calls", rank.calls},
                            {"last", rank.last},
                            {"behind_seconds", median_of(rank.behind_seconds)},
                            {"caused_seconds", rank.caused_seconds}});
    }
    Json kinds = Json::array();
    for (const Kind& kind : analysis.kinds) {
        kinds.push_back(to_json(kind));
    }
    return {{"format", "changeover-trace"},
            {"version", 1},
            {"prefix", loaded.trace.prefix},
            {"ranks", loaded.trace.ranks.size()},
            {"world_size", loaded.trace.world_size},
            {"events", loaded.trace.events()},
            {"calls", analysis.calls},
            {"calls_left_out", analysis.calls_left_out},
            {"messages", loaded.matched.messages.size()},
            {"problems", loaded.trace.problems},
            {"unmatched_calls", loaded.matched.unmatched_calls},
            {"unmatched_messages", loaded.matched.unmatched_messages},
            {"remarks", loaded.matched.remarks},
            {"clocks",
             {{"largest_error_seconds", 1e-9 * static_cast<double>(alignment.largest_error_ns)},
              {"not_synchronised", alignment.unknown},
              {"messages_too_early", alignment.messages_too_early}}},
            {"program_seconds", analysis.program_seconds},
            {"costs_seconds", to_json(analysis.costs)},
            {"arrivals", arrivals},
            {"late_rank", analysis.late_rank() != nullptr ? Json(analysis.late_rank()->rank) : Json()},
            {"critical", critical_json(loaded.trace, analysis.critical)},
            {"critical_path", to_json(analysis.path)},
            {"kinds", kinds}};
}

}  // namespace tuner::trace

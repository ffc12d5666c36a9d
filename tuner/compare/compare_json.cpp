// SPDX-License-Identifier: MIT
// A comparison as JSON for programs.
#include <fmt/format.h>

#include <cmath>

#include "compare_parts.hpp"
#include "verdict.hpp"

namespace tuner {

namespace {

Json to_json(const models::Interval& interval) {
    return Json::array({number_or_null(interval.low), number_or_null(interval.high)});
}

Json winner_or_null(Winner winner) {
    return winner == Winner::neither ? Json() : Json(to_string(winner));
}

Json times_json(const models::Tail& tail, const models::Interval& interval) {
    Json beyond = Json::object();
    for (std::size_t i = 0; i < models::far_factors.size(); ++i) {
        beyond[fmt::format("{:g}", models::far_factors[i])] = tail.shares_beyond[i];
    }
    return {{"median_seconds", tail.median},   {"interval", to_json(interval)},
            {"samples", tail.count},           {"min_seconds", tail.min},
            {"p90_seconds", tail.p90},         {"p99_seconds", tail.p99},
            {"max_seconds", tail.max},         {"shares_beyond_times_min", beyond},
            {"like_time_outs", tail.time_outs}};
}

Json to_json(const std::optional<ChosenCase>& chosen) {
    if (!chosen) {
        return nullptr;
    }
    Json json = {{"algorithm", chosen->algorithm}};
    json.update(times_json(chosen->tail, chosen->interval));
    return json;
}

Json to_json(const ComparedExchange& exchange) {
    Json sizes = Json::array();
    for (const ComparedExchangeSize& size : exchange.sizes) {
        Json row = {{"bytes", size.bytes}};
        for (const auto& [name, point, tail] :
             {std::tuple("a", &size.a, &size.tail_a), std::tuple("b", &size.b, &size.tail_b)}) {
            row[name] = times_json(*tail, point->interval);
            row[name].update(Json(point->values));
        }
        row.update({{"b_by_a", size.ratio.ratio},
                    {"interval", to_json(size.ratio.interval)},
                    {"p", size.p},
                    {"winner", winner_or_null(size.winner)}});
        sizes.push_back(row);
    }
    Json json = {{"exchange", exchange.key.exchange}, {"way", exchange.key.way}};
    add_layout(json, exchange.key.layout);
    json["sizes"] = sizes;
    return json;
}

Json to_json(const ComparedSize& size) {
    Json json = {{"bytes", size.bytes}};
    for (std::size_t i = 0; i < choice_names.size(); ++i) {
        const ComparedChoice& choice = size.choices[i];
        json[choice_names[i]] = {{"a", to_json(choice.a)},
                                 {"b", to_json(choice.b)},
                                 {"b_by_a", choice.ratio ? Json(choice.ratio->ratio) : Json()},
                                 {"interval", choice.ratio ? to_json(choice.ratio->interval) : Json()},
                                 {"p", choice.ratio ? Json(choice.p) : Json()},
                                 {"winner", winner_or_null(choice.winner)}};
    }
    return json;
}

Json to_json(const std::optional<ChangeoverPoint>& place) {
    return place ? Json{{"bytes", place->bytes}, {"interval", to_json(place->interval)}} : Json();
}

Json to_json(const std::vector<ChosenRange>& ranges) {
    Json json = Json::array();
    for (const ChosenRange& range : ranges) {
        json.push_back(
            {{"algorithm", range.algorithm}, {"used", range.used}, {"from_bytes", range.changeover_bytes}});
    }
    return json;
}

Json to_json(const ComparedCell& cell) {
    Json sizes = Json::array();
    for (const ComparedSize& size : cell.sizes) {
        sizes.push_back(to_json(size));
    }
    Json faster = Json::object();
    for (std::size_t i = 0; i < choice_names.size(); ++i) {
        Json& ranges = faster[choice_names[i]] = Json::array();
        for (const WonRange& won : cell.won[i]) {
            ranges.push_back({{"winner", to_string(won.winner)},
                              {"from_bytes", won.from_bytes},
                              {"to_bytes", won.to_bytes},
                              {"b_by_a", won.ratio}});
        }
    }
    Json changeovers = Json::array();
    for (const ComparedChangeover& changeover : cell.changeovers) {
        changeovers.push_back({{"from", changeover.from},
                               {"to", changeover.to},
                               {"a", to_json(changeover.a)},
                               {"b", to_json(changeover.b)},
                               {"moved", changeover.has_moved()}});
    }
    Json json = {{"collective", cell.key.collective}, {"operation", cell.key.operation}};
    add_layout(json, cell.key.layout);
    json.update({{"sizes", sizes},
                 {"faster", faster},
                 {"chosen_a", to_json(cell.chosen_a)},
                 {"chosen_b", to_json(cell.chosen_b)},
                 {"changeovers", changeovers},
                 {"only_a", cell.only_a},
                 {"only_b", cell.only_b}});
    return json;
}

Json to_json(const ComparedSide& side) {
    return {{"run", side.run},
            {"network", side.network},
            {"created", side.created},
            {"configuration", side.config},
            {"simulated", side.is_simulated}};
}

Json to_json(const KernelCounters& counters) {
    return {{"jobs", counters.jobs},
            {"jobs_that_told", counters.jobs_that_told},
            {"tcp_retransmits", counters.retransmits},
            {"tcp_time_outs", counters.time_outs}};
}

Json to_json(const Comparison& comparison) {
    Json differing = Json::array();
    for (const Condition& condition : comparison.differing) {
        differing.push_back({{"name", condition.name}, {"a", condition.a}, {"b", condition.b}});
    }
    Json messages = Json::array();
    for (const ComparedMessage& message : comparison.messages) {
        messages.push_back({{"link", to_string(message.link)},
                            {"bytes", message.bytes},
                            {"b_by_a", message.ratio.ratio},
                            {"interval", to_json(message.ratio.interval)}});
    }
    Json cells = Json::array();
    for (const ComparedCell& cell : comparison.cells) {
        cells.push_back(to_json(cell));
    }
    Json exchanges = Json::array();
    for (const ComparedExchange& exchange : comparison.exchanges) {
        exchanges.push_back(to_json(exchange));
    }
    Json layouts = Json::array();
    for (const ComparedLayout& row : comparison.layouts) {
        layouts.push_back({{"layout", to_string(row.layout)}, {"a", to_json(row.a)}, {"b", to_json(row.b)}});
    }
    return {{"a", to_json(comparison.a)},
            {"b", to_json(comparison.b)},
            {"verdict", to_json(comparison, verdict_of(comparison))},
            {"paired", false},
            {"margin", comparison.margin},
            {"loss_bound", comparison.loss_bound},
            {"conditions_that_differ", differing},
            {"conditions_that_are_the_same", comparison.same},
            {"point_to_point", to_json(comparison.parameters).at("links")},
            {"one_way", messages},
            {"exchanges", exchanges},
            {"cells", cells},
            {"kernel", layouts},
            {"only_a", comparison.only_a},
            {"only_b", comparison.only_b}};
}

}  // namespace

Json to_json(const Comparisons& comparisons) {
    Json pairs = Json::array();
    for (const Comparison& comparison : comparisons.pairs) {
        pairs.push_back(to_json(comparison));
    }
    return {
        {"format", "changeover-comparison"}, {"version", 1}, {"pairs", pairs}, {"only", comparisons.only}};
}

}  // namespace tuner

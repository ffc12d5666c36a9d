// SPDX-License-Identifier: MIT
// A comparison as text for people and as JSON for programs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "compare.hpp"
#include "exchange_headlines.hpp"
#include "text_table.hpp"
#include "units.hpp"

namespace tuner {

namespace {

const char* to_string(Winner winner) {
    return winner == Winner::a ? "A" : winner == Winner::b ? "B" : "";
}

std::string name_of(const CellKey& key) {
    return fmt::format("{}{} {}", key.collective, key.operation.empty() ? "" : " (" + key.operation + ")",
                       to_string(key.layout));
}

std::string rounded_bytes(double bytes) {
    return bytes_text(static_cast<std::size_t>(std::llround(bytes)));
}

std::string ratio_text(const models::Ratio& ratio) {
    return fmt::format("{:.3g} ({:.3g}-{:.3g})", ratio.ratio, ratio.interval.low, ratio.interval.high);
}

std::string ratio_text(const ComparedChoice& choice) {
    return choice.ratio ? fmt::format("{} {:<1}", ratio_text(*choice.ratio), to_string(choice.winner))
                        : "-  ";
}

std::string time_text(const std::optional<ChosenCase>& chosen) {
    return chosen ? seconds_text(chosen->tail.median) : "-";
}

std::string algorithm_text(const std::optional<ChosenCase>& chosen) {
    return chosen ? chosen->algorithm : "-";
}

std::string ratios_table(const ComparedCell& cell) {
    TextTable table({"bytes", "default A", "default B", "B/A default  ", "B/A best  ", "B/A tuned  ",
                     "best in A", "best in B"});
    for (const ComparedSize& size : cell.sizes) {
        const auto& [by_default, best, tuned] = size.choices;
        table.add({bytes_text(size.bytes), time_text(by_default.a), time_text(by_default.b),
                   ratio_text(by_default), ratio_text(best), ratio_text(tuned), algorithm_text(best.a),
                   algorithm_text(best.b)});
    }
    return table.text();
}

std::string wins_text(const ComparedCell& cell) {
    std::string text;
    for (std::size_t i = 0; i < choice_names.size(); ++i) {
        std::vector<std::string> ranges;
        bool has_ratio = false;
        for (const ComparedSize& size : cell.sizes) {
            has_ratio = has_ratio || size.choices[i].ratio;
        }
        for (const WonRange& won : cell.won[i]) {
            const std::string where =
                won.from_bytes == won.to_bytes
                    ? "at " + bytes_text(won.from_bytes)
                    : fmt::format("from {} to {}", bytes_text(won.from_bytes), bytes_text(won.to_bytes));
            ranges.push_back(fmt::format("{} {} by {:.2f} times", to_string(won.winner), where,
                                         std::max(won.ratio, 1 / won.ratio)));
        }
        if (has_ratio) {
            text +=
                fmt::format("  faster, {}: {}\n", choice_names[i],
                            ranges.empty() ? "nobody for sure" : fmt::format("{}", fmt::join(ranges, ", ")));
        }
    }
    return text;
}

std::string place_text(const std::optional<ChangeoverPlace>& place) {
    return place ? fmt::format("{} ({}-{})", rounded_bytes(place->bytes), rounded_bytes(place->interval.low),
                               rounded_bytes(place->interval.high))
                 : "-";
}

std::string verdict(const ComparedChangeover& changeover) {
    if (!changeover.a || !changeover.b) {
        return changeover.a ? "only in A" : "only in B";
    }
    const double factor = changeover.b->bytes / changeover.a->bytes;
    return !changeover.has_moved() ? "the same"
           : factor > 1            ? fmt::format("moved up {:.3g} times", factor)
                                   : fmt::format("moved down {:.3g} times", 1 / factor);
}

std::string chosen_text(const std::vector<ChosenRange>& ranges) {
    std::string text;
    for (const ChosenRange& range : ranges) {
        text += text.empty() ? to_string(range)
                             : fmt::format(", from {} {}", rounded_bytes(range.from_bytes), to_string(range));
    }
    return text.empty() ? "nothing, the default was not measured" : text;
}

std::string changeovers_text(const ComparedCell& cell) {
    std::string text = fmt::format("  chosen in A: {}\n  chosen in B: {}\n", chosen_text(cell.chosen_a),
                                   chosen_text(cell.chosen_b));
    if (cell.changeovers.empty()) {
        return text;
    }
    TextTable table({"changeover", "in A", "in B", ""});
    for (const ComparedChangeover& changeover : cell.changeovers) {
        table.add({changeover.from + " -> " + changeover.to, place_text(changeover.a),
                   place_text(changeover.b), verdict(changeover)});
    }
    return text + table.text();
}

TextTable table_of_tails(const std::string& of) {
    std::vector<std::string> heading = {of, "", "median", "p90", "p99", "max"};
    for (const double factor : models::far_factors) {
        heading.push_back(fmt::format(">{:g}x min", factor));
    }
    heading.insert(heading.end(), {"samples", "like time-outs"});
    return TextTable(heading);
}

void add_tail(TextTable& table, const std::string& name, const std::string& side, const models::Tail& tail) {
    std::vector<std::string> row = {name,
                                    side,
                                    seconds_text(tail.median),
                                    seconds_text(tail.p90),
                                    seconds_text(tail.p99),
                                    seconds_text(tail.max)};
    for (const double share : tail.shares_beyond) {
        row.push_back(fmt::format("{:.1f}%", 100 * share));
    }
    row.insert(row.end(), {std::to_string(tail.count), std::to_string(tail.time_outs)});
    table.add(row);
}

std::string tails_table(const ComparedCell& cell) {
    TextTable table = table_of_tails("tail of default");
    for (const ComparedSize& size : cell.sizes) {
        const ComparedChoice& choice = size.choices.front();
        for (const auto& [chosen, name] : {std::pair(&choice.a, "A"), std::pair(&choice.b, "B")}) {
            if (chosen->has_value()) {
                add_tail(table, bytes_text(size.bytes), name, (*chosen)->tail);
            }
        }
    }
    return table.has_rows() ? table.text() : "";
}

const double* value_of(const ExchangePoint& point, const char* name) {
    const auto found = point.values.find(name);
    return found == point.values.end() ? nullptr : &found->second;
}

// The quantities that both sides have anywhere
std::vector<QuantityFormat> quantities_of(std::span<const ComparedExchange> ways) {
    std::vector<QuantityFormat> found;
    std::copy_if(quantity_formats().begin(), quantity_formats().end(), std::back_inserter(found),
                 [&](const QuantityFormat& format) {
                     return std::any_of(ways.begin(), ways.end(), [&](const ComparedExchange& way) {
                         return !way.sizes.empty() && value_of(way.sizes.front().a, format.value) != nullptr;
                     });
                 });
    return found;
}

// All ways of one exchange on one layout
std::string exchange_text(std::span<const ComparedExchange> ways) {
    const std::vector<QuantityFormat> quantities = quantities_of(ways);
    std::vector<std::string> heading = {"way", "bytes", "time A", "time B", "B/A  "};
    for (const QuantityFormat& format : quantities) {
        heading.push_back(fmt::format("{} A", format.heading));
        heading.push_back("B");
    }
    TextTable points(heading);
    TextTable tails = table_of_tails("tail");
    for (const ComparedExchange& way : ways) {
        for (const ComparedExchangeSize& size : way.sizes) {
            std::vector<std::string> row = {
                way.key.way, bytes_text(size.bytes), seconds_text(size.a.median_seconds),
                seconds_text(size.b.median_seconds),
                fmt::format("{} {:<1}", ratio_text(size.ratio), to_string(size.winner))};
            for (const QuantityFormat& format : quantities) {
                for (const ExchangePoint* point : {&size.a, &size.b}) {
                    const double* value = value_of(*point, format.value);
                    row.push_back(value == nullptr ? "-" : quantity_text(format, *value));
                }
            }
            points.add(row);
            if (size.tail_a.shares_beyond.front() > 0 || size.tail_b.shares_beyond.front() > 0) {
                const std::string name = fmt::format("{} {}", way.key.way, bytes_text(size.bytes));
                add_tail(tails, name, "A", size.tail_a);
                add_tail(tails, name, "B", size.tail_b);
            }
        }
    }
    return fmt::format("\n{} {}\n{}{}", ways.front().key.exchange, to_string(ways.front().key.layout),
                       points.text(), tails.has_rows() ? tails.text() : "");
}

std::string glance_text(const Comparison& comparison) {
    ExchangeCurves curves;
    for (const ComparedExchange& exchange : comparison.exchanges) {
        for (const ComparedExchangeSize& size : exchange.sizes) {
            for (const auto& [name, point] : {std::pair("A", &size.a), std::pair("B", &size.b)}) {
                curves[{name, exchange.key.layout, exchange.key.exchange, exchange.key.way}][size.bytes] =
                    *point;
            }
        }
    }
    return headlines_table(curves);
}

std::string exchanges_text(const Comparison& comparison) {
    if (comparison.exchanges.empty()) {
        return "";
    }
    std::string text =
        "\nExchanges at a glance: latency of the shortest message, the highest bandwidth and message rate, "
        "the\nmedian availability and overlap over all sizes; repetitions that take more than twice the "
        "shortest\n" +
        glance_text(comparison) +
        "\nExchanges point by point; of overlap, the time is the overhead. Tails are shown where a "
        "repetition "
        "takes more\nthan twice the shortest.\n";
    for (auto first = comparison.exchanges.begin(); first != comparison.exchanges.end();) {
        const auto end = std::find_if(first, comparison.exchanges.end(), [&](const ComparedExchange& other) {
            return other.key.exchange != first->key.exchange || other.key.layout != first->key.layout;
        });
        text += exchange_text(std::span(first, end));
        first = end;
    }
    return text;
}

std::string only_text(const ComparedCell& cell) {
    std::string text;
    for (const auto& [only, name] : {std::pair(&cell.only_a, "A"), std::pair(&cell.only_b, "B")}) {
        for (const std::string& what : *only) {
            text += fmt::format("  only in {}: {}\n", name, what);
        }
    }
    return text;
}

std::string conditions_text(const Comparison& comparison) {
    if (comparison.differing.empty()) {
        return "Conditions: no difference is known.\n";
    }
    std::string text = "Conditions that differ\n";
    for (const Condition& condition : comparison.differing) {
        text += fmt::format("  {}\n    A  {}\n    B  {}\n", condition.name,
                            condition.a.empty() ? "-" : condition.a, condition.b.empty() ? "-" : condition.b);
    }
    return text;
}

std::string counters_text(const KernelCounters& counters) {
    return counters.jobs_that_told == 0
               ? "not known"
               : fmt::format("{} retransmits, {} time-outs in {} of {} jobs", counters.retransmits,
                             counters.time_outs, counters.jobs_that_told, counters.jobs);
}

std::string messages_text(const Comparison& comparison) {
    if (comparison.parameters.empty()) {
        return "Point-to-point parameters: not measured in A or B.\n";
    }
    std::string text = "Point-to-point parameters\n" + parameters_table(comparison.parameters);
    TextTable table({"link", "bytes", "one way, B/A"});
    for (const ComparedMessage& message : comparison.messages) {
        table.add({to_string(message.link), bytes_text(message.bytes), ratio_text(message.ratio)});
    }
    return text + (table.has_rows() ? table.text() : "");
}

std::string to_text(const Comparison& comparison) {
    std::string text;
    for (const auto& [side, name] : {std::pair(&comparison.a, "A"), std::pair(&comparison.b, "B")}) {
        text += fmt::format("{}  run {}, network {}, {}; configuration: {}\n", name, side->run, side->network,
                            side->created, side->config);
    }
    text += "\n" + conditions_text(comparison);
    text += fmt::format(
        "\nB/A is the ratio of medians with its 95% interval: below 1, B is faster. The samples come from "
        "different\njobs, not in pairs: what differs from job to job is in it. A or B behind a ratio marks a "
        "win: the interval\nis beyond {:g}%, and the rank-sum test holds for all sizes of the table (Holm, "
        "5%).\n",
        100 * comparison.margin);
    text += "\n" + messages_text(comparison);
    text += exchanges_text(comparison);
    for (const ComparedCell& cell : comparison.cells) {
        text += fmt::format("\n{}\n", name_of(cell.key));
        text +=
            cell.sizes.empty() ? "  no size was measured in both\n" : ratios_table(cell) + wins_text(cell);
        text += changeovers_text(cell) + tails_table(cell) + only_text(cell);
    }
    text += "\nThe kernel's TCP counters of all jobs\n";
    for (const ComparedLayout& row : comparison.layouts) {
        text += fmt::format("  {}  A: {}; B: {}\n", to_string(row.layout), counters_text(row.a),
                            counters_text(row.b));
    }
    for (const auto& [only, name] :
         {std::pair(&comparison.only_a, "A"), std::pair(&comparison.only_b, "B")}) {
        for (const std::string& cell : *only) {
            text += fmt::format("Only in {}: {}\n", name, cell);
        }
    }
    return text;
}

// JSON has no infinity
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

Json to_json(const models::Interval& interval) {
    return Json::array({number(interval.low), number(interval.high)});
}

Json winner_or_null(Winner winner) {
    return winner == Winner::nobody ? Json() : Json(to_string(winner));
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
    return {{"exchange", exchange.key.exchange},
            {"way", exchange.key.way},
            {"nodes", exchange.key.layout.nodes},
            {"ppn", exchange.key.layout.ppn},
            {"mapping", to_string(exchange.key.layout.mapping)},
            {"sizes", sizes}};
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

Json to_json(const std::optional<ChangeoverPlace>& place) {
    return place ? Json{{"bytes", place->bytes}, {"interval", to_json(place->interval)}} : Json();
}

Json to_json(const std::vector<ChosenRange>& ranges) {
    Json json = Json::array();
    for (const ChosenRange& range : ranges) {
        json.push_back(
            {{"algorithm", range.algorithm}, {"used", range.used}, {"from_bytes", range.from_bytes}});
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
    return {{"collective", cell.key.collective},
            {"operation", cell.key.operation},
            {"nodes", cell.key.layout.nodes},
            {"ppn", cell.key.layout.ppn},
            {"mapping", to_string(cell.key.layout.mapping)},
            {"sizes", sizes},
            {"faster", faster},
            {"chosen_a", to_json(cell.chosen_a)},
            {"chosen_b", to_json(cell.chosen_b)},
            {"changeovers", changeovers},
            {"only_a", cell.only_a},
            {"only_b", cell.only_b}};
}

Json to_json(const ComparedSide& side) {
    return {{"run", side.run},
            {"network", side.network},
            {"created", side.created},
            {"configuration", side.config}};
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

std::string to_text(const Comparisons& comparisons) {
    std::string text;
    for (const std::string& only : comparisons.only) {
        text += only + "\n";
    }
    for (const Comparison& comparison : comparisons.pairs) {
        text += (text.empty() ? "" : "\n") + to_text(comparison);
    }
    return text;
}

}  // namespace tuner

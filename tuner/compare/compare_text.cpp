// SPDX-License-Identifier: MIT
// A comparison as text for people.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "compare_parts.hpp"
#include "exchange_headlines.hpp"
#include "text_table.hpp"
#include "units.hpp"
#include "verdict.hpp"

namespace tuner {

namespace {

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
            ranges.push_back(fmt::format("{} {} by a factor of {:.2f}", to_string(won.winner), where,
                                         std::max(won.ratio, 1 / won.ratio)));
        }
        if (has_ratio) {
            text += fmt::format(
                "  faster, {}: {}\n", choice_names[i],
                ranges.empty() ? "no significant difference" : fmt::format("{}", fmt::join(ranges, ", ")));
        }
    }
    return text;
}

std::string place_text(const std::optional<ChangeoverPoint>& place) {
    return place ? fmt::format("{} ({}-{})", rounded_bytes(place->bytes), rounded_bytes(place->interval.low),
                               rounded_bytes(place->interval.high))
                 : "-";
}

std::string moved_text(const ComparedChangeover& changeover) {
    if (!changeover.a || !changeover.b) {
        return changeover.a ? "only in A" : "only in B";
    }
    const double factor = changeover.b->bytes / changeover.a->bytes;
    return !changeover.has_moved() ? "the same"
           : factor > 1            ? fmt::format("moved up by a factor of {:.3g}", factor)
                                   : fmt::format("moved down by a factor of {:.3g}", 1 / factor);
}

std::string chosen_text(const std::vector<ChosenRange>& ranges) {
    std::string text;
    for (const ChosenRange& range : ranges) {
        text += text.empty()
                    ? to_string(range)
                    : fmt::format(", from {} {}", rounded_bytes(range.changeover_bytes), to_string(range));
    }
    return text.empty() ? "nothing: the default was not measured" : text;
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
                   place_text(changeover.b), moved_text(changeover)});
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
        return "Conditions: no known difference.\n";
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
        "\nB/A is the ratio of the medians with its 95% interval: below 1, B is faster. The samples are not "
        "paired: they come\nfrom different jobs, and the ratio includes differences between jobs. A or B "
        "after a "
        "ratio marks the faster one: the\nwhole interval is beyond {:g}%, and the rank-sum test is "
        "significant "
        "for all sizes of the table (Holm, 5%).\n",
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

}  // namespace

std::string to_text(const Comparisons& comparisons) {
    std::string text;
    for (const Comparison& comparison : comparisons.pairs) {
        text += to_text(comparison, verdict_of(comparison));
    }
    for (const std::string& only : comparisons.only) {
        text += only + "\n";
    }
    for (const Comparison& comparison : comparisons.pairs) {
        text += "\n" + to_text(comparison);
    }
    return text;
}

}  // namespace tuner

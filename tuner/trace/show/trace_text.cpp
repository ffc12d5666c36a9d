// SPDX-License-Identifier: MIT
#include "trace_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "classes.hpp"
#include "number_text.hpp"
#include "rank_names.hpp"
#include "units.hpp"

namespace tuner::trace {

namespace {

constexpr std::size_t most_kinds = 20;    // in the table
constexpr std::size_t most_detailed = 3;  // with stages
constexpr std::size_t most_classes = 4;

std::string mean_bytes_text(double bytes) {
    return bytes_text(static_cast<std::size_t>(std::llround(bytes)));
}

std::string reasons_text(const char* what, const std::map<std::string, std::size_t>& reasons) {
    std::string text;
    for (const auto& [reason, count] : reasons) {
        text += fmt::format("  not matched: {}: {}\n", counted(count, what), reason);
    }
    return text;
}

// Its number, and the name that its host has
std::string node_text(const Trace& trace, int node) {
    const std::string host = trace.host_of(node);
    return host.empty() ? fmt::format("node {}", node) : fmt::format("node {} ({})", node, host);
}

std::string critical_text(const Trace& trace, const Critical& critical) {
    const std::string slower =
        critical.slower > 0
            ? fmt::format("; its messages take {:.2g} times as long as others of their size", critical.slower)
            : "";
    switch (critical.what) {
        case Critical::What::rank:
            return fmt::format("critical: {}: {} of the critical paths' time is its own work\n",
                               rank_text(trace, critical.node), percent_text(critical.share));
        case Critical::What::link:
            return fmt::format(
                "critical: the link from {} to {}: {} of the critical paths' time between nodes{}\n",
                node_text(trace, critical.link.from), node_text(trace, critical.link.to),
                percent_text(critical.share), slower);
        case Critical::What::node:
            break;
    }
    return fmt::format("critical: {}: {} of the critical paths' time between nodes is on its interface{}\n",
                       node_text(trace, critical.node), percent_text(critical.share), slower);
}

// Neighbouring stages that look the same are one row
struct StageRow {
    std::size_t first;
    std::size_t last;
    double messages;
    double interface_bytes;
    double exchanged_bytes;
    double transfer[2] = {};
    double wait[2] = {};
    double pass_on;
    bool has[2] = {};
};

std::vector<StageRow> stage_rows(const Kind& kind) {
    std::vector<StageRow> rows;
    const auto calls = static_cast<double>(kind.calls.size());
    for (std::size_t i = 0; i < kind.stages.size(); ++i) {
        const StageTimes& stage = kind.stages[i];
        StageRow row{i + 1, i + 1, 0, stage.busiest_bytes / calls, stage.busiest_exchanged_bytes / calls, {},
                     {},    0,     {}};
        std::vector<double> pass_on;
        for (const Link link : {Link::within_node, Link::between_nodes}) {
            const LinkTimes& times = stage.at(link);
            const auto l = static_cast<std::size_t>(link);
            row.has[l] = times.messages > 0;
            row.messages += static_cast<double>(times.messages) / calls;
            row.transfer[l] = median_of(times.transfer_seconds);
            row.wait[l] = median_of(times.wait_seconds);
            pass_on.insert(pass_on.end(), times.pass_on_seconds.begin(), times.pass_on_seconds.end());
        }
        row.pass_on = median_of(pass_on);
        rows.push_back(row);
    }
    return rows;
}

std::string orders_text(const Matched& matched, const Kind& kind) {
    const auto last = std::max_element(kind.arrivals.last.begin(), kind.arrivals.last.end());
    std::vector<double> arrival;
    std::vector<double> departure;
    for (std::size_t rank = 0; rank < kind.arrivals.wait_seconds.size(); ++rank) {
        arrival.push_back(median_of(kind.arrivals.wait_seconds[rank]));
        departure.push_back(median_of(kind.departures.wait_seconds[rank]));
    }
    return fmt::format(
        "  arrival wait {} (median of ranks; longest {}), departure wait {} (longest {}); most often last: "
        "{}, in {} of calls\n",
        time_text(median_of(arrival)), time_text(*std::max_element(arrival.begin(), arrival.end())),
        time_text(median_of(departure)), time_text(*std::max_element(departure.begin(), departure.end())),
        rank_text(matched, kind, static_cast<int>(last - kind.arrivals.last.begin())),
        percent_text(static_cast<double>(*last) / static_cast<double>(kind.calls.size())));
}

std::string costs_text(const Breakdown& costs) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < cost_names.size(); ++i) {
        if (costs.seconds[i] > 0.005 * costs.total()) {
            parts.push_back(
                fmt::format("{} {}", cost_names[i], percent_text(costs.seconds[i] / costs.total())));
        }
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string overview_text(const LoadedTrace& loaded) {
    const Trace& trace = loaded.trace;
    const Matched& matched = loaded.matched;
    std::set<int> nodes;
    std::vector<int> ranks;
    std::uint64_t calls = 0;
    std::uint64_t recorded = 0;
    for (const RankTrace& rank : trace.ranks) {
        nodes.insert(rank.node());
        ranks.push_back(rank.rank());
        calls = std::max(calls, rank.header.calls);
        recorded = std::max(recorded, rank.header.calls_recorded);
    }
    std::string text = fmt::format("{}: {} of {} ranks on {}, {}, {}, {} analysed, {} matched\n",
                                   trace.prefix, trace.ranks.size(), trace.world_size,
                                   counted(nodes.size(), "node"), counted(trace.events(), "event"),
                                   counted(loaded.analysis.calls + loaded.analysis.calls_left_out, "call"),
                                   loaded.analysis.calls, counted(matched.messages.size(), "message"));
    text += fmt::format("  ranks by host: {}\n", ranks_by_host(trace, ranks));
    if (recorded < calls) {
        text += fmt::format("  {} of {} of a rank were recorded (MPIR_CVAR_COLL_EVENTS filters)\n", recorded,
                            counted(calls, "call"));
    }
    const Alignment& alignment = matched.alignment;
    text += fmt::format("  clocks: within {} of the clock of rank 0; ",
                        time_text(1e-9 * static_cast<double>(alignment.largest_error_ns)));
    text += alignment.messages_too_early == 0
                ? "no message arrives before it is sent\n"
                : fmt::format(
                      "{} before they are sent, by up to {}: the clocks are less accurate than recorded\n",
                      counted(alignment.messages_too_early, "message arrive"),
                      time_text(1e-9 * static_cast<double>(alignment.largest_too_early_ns)));
    if (!alignment.unknown.empty()) {
        text +=
            fmt::format("  the clocks of ranks {} were not synchronised: their times are used unchanged\n",
                        ranks_by_host(trace, alignment.unknown));
    }
    for (const std::string& problem : trace.problems) {
        text += "  problem: " + problem + "\n";
    }
    text += reasons_text("call of a rank", matched.unmatched_calls);
    text += reasons_text("message end", matched.unmatched_messages);
    for (const auto& [remark, count] : matched.remarks) {
        text += fmt::format("  remark: {} {}\n", count, remark);
    }
    return text;
}

std::string findings_text(const LoadedTrace& loaded) {
    const Analysis& analysis = loaded.analysis;
    const double total = analysis.costs.total();
    if (total <= 0) {
        return "no call could be analysed\n";
    }
    const double of_rank = total / static_cast<double>(loaded.trace.ranks.size());
    std::string text =
        fmt::format("in collectives: {} of {} for each rank ({}); of that {}\n", time_text(of_rank),
                    time_text(analysis.program_seconds), percent_text(of_rank / analysis.program_seconds),
                    costs_text(analysis.costs));
    if (const RankArrivals* late = analysis.late_rank()) {
        text += fmt::format(
            "imbalance: {} was last in {} of {}, by {} (median); others waited {} for it, {} of all "
            "time in "
            "collectives\n",
            rank_text(loaded.trace, late->rank),
            percent_text(static_cast<double>(late->last) / static_cast<double>(late->calls)),
            counted(late->calls, "call"), time_text(median_of(late->behind_seconds)),
            time_text(late->caused_seconds), percent_text(late->caused_seconds / total));
    } else {
        text += "imbalance: no rank makes the others wait for more than a tenth of the time in collectives\n";
    }
    text += analysis.critical ? critical_text(loaded.trace, *analysis.critical)
                              : "critical: no node, link or rank dominates the critical paths\n";
    return text;
}

TextTable kinds_table(const Analysis& analysis) {
    std::vector<std::string> heading = {"call", "number", "all ranks", "share", "a call"};
    heading.insert(heading.end(), cost_names.begin(), cost_names.end());
    TextTable table(heading);
    for (std::size_t i = 0; i < std::min(analysis.kinds.size(), most_kinds); ++i) {
        const Kind& kind = analysis.kinds[i];
        std::vector<std::string> row = {
            to_string(kind.key), std::to_string(kind.calls.size()), time_text(kind.total_seconds()),
            percent_text(kind.total_seconds() / analysis.costs.total()), time_text(median_of(kind.seconds))};
        for (const double seconds : kind.costs.seconds) {
            row.push_back(percent_text(seconds / kind.total_seconds()));
        }
        table.add(row);
    }
    return table;
}

std::string kinds_left_out(const Analysis& analysis) {
    return analysis.kinds.size() <= most_kinds
               ? ""
               : fmt::format("  and {} more kinds of calls; --format json lists all of them\n",
                             analysis.kinds.size() - most_kinds);
}

TextTable stages_table(const Kind& kind) {
    TextTable table({"stage", "messages", "busiest interface", "exchanged", "between: transfer", "wait",
                     "within: transfer", "wait", "pass on"});
    const std::vector<StageRow> rows = stage_rows(kind);
    const auto is_like = [](const StageRow& a, const StageRow& b) {
        const auto near = [](double x, double y) {
            return std::abs(x - y) <= 0.02 * std::max(std::abs(x), std::abs(y));
        };
        return near(a.messages, b.messages) && near(a.interface_bytes, b.interface_bytes) &&
               near(a.exchanged_bytes, b.exchanged_bytes) && a.has[0] == b.has[0] && a.has[1] == b.has[1];
    };
    double interface_bytes = 0;
    double exchanged_bytes = 0;
    for (std::size_t i = 0; i < rows.size();) {
        std::size_t end = i + 1;
        while (end < rows.size() && is_like(rows[i], rows[end])) {
            ++end;
        }
        const auto mean = [&](auto value) {
            double sum = 0;
            for (std::size_t k = i; k < end; ++k) {
                sum += value(rows[k]);
            }
            return sum / static_cast<double>(end - i);
        };
        const auto time = [&](std::size_t link, auto value) {
            return rows[i].has[link] ? time_text(mean(value)) : "-";
        };
        interface_bytes +=
            mean([](const StageRow& r) { return r.interface_bytes; }) * static_cast<double>(end - i);
        exchanged_bytes +=
            mean([](const StageRow& r) { return r.exchanged_bytes; }) * static_cast<double>(end - i);
        table.add({end == i + 1 ? std::to_string(i + 1) : fmt::format("{}-{}", i + 1, end),
                   fmt::format("{:.3g}", rows[i].messages), mean_bytes_text(rows[i].interface_bytes),
                   mean_bytes_text(rows[i].exchanged_bytes),
                   time(1, [](const StageRow& r) { return r.transfer[1]; }),
                   time(1, [](const StageRow& r) { return r.wait[1]; }),
                   time(0, [](const StageRow& r) { return r.transfer[0]; }),
                   time(0, [](const StageRow& r) { return r.wait[0]; }),
                   time_text(mean([](const StageRow& r) { return r.pass_on; }))});
        i = end;
    }
    table.add(
        {"all", "", mean_bytes_text(interface_bytes), mean_bytes_text(exchanged_bytes), "", "", "", "", ""});
    return table;
}

std::string classes_text(const Matched& matched, const Kind& kind) {
    std::string text;
    const std::vector<RankClass> classes = classes_of(kind);
    for (std::size_t i = 0; i < std::min(classes.size(), most_classes); ++i) {
        const double whole =
            std::accumulate(classes[i].stage_seconds.begin(), classes[i].stage_seconds.end(), 0.0);
        const std::string hosts = hosts_text(matched, kind, classes[i].ranks);
        text += fmt::format("  class {}: ranks {}{}; {} each, such as {}\n", i + 1,
                            ranks_text(classes[i].ranks), hosts.empty() ? "" : " on " + hosts,
                            time_text(whole), rank_text(matched, kind, classes[i].representative));
    }
    if (classes.size() > most_classes) {
        text += fmt::format("  and {} more classes\n", classes.size() - most_classes);
    }
    return text;
}

std::string kind_summary(const Matched& matched, const Kind& kind) {
    const auto calls = static_cast<double>(kind.typical_calls);
    return fmt::format("  {} from the last arrival to the last departure, {} to the first (medians)\n",
                       time_text(median_of(kind.seconds)), time_text(median_of(kind.latency_seconds))) +
           orders_text(matched, kind) +
           fmt::format("  critical path: {:.3g} messages, {} (mean); {}\n",
                       static_cast<double>(kind.path.messages) / calls,
                       time_text(kind.path.costs.total() / calls), costs_text(kind.path.costs));
}

std::string kind_text(const Matched& matched, const Kind& kind) {
    return fmt::format("{}: {}\n", to_string(kind.key), counted(kind.calls.size(), "call")) +
           kind_summary(matched, kind) + stages_table(kind).text() + classes_text(matched, kind);
}

std::string to_text(const LoadedTrace& loaded) {
    std::string text = overview_text(loaded) + "\n" + findings_text(loaded);
    if (!loaded.analysis.kinds.empty()) {
        text += "\n" + kinds_table(loaded.analysis).text() + kinds_left_out(loaded.analysis);
    }
    for (std::size_t i = 0; i < std::min(loaded.analysis.kinds.size(), most_detailed); ++i) {
        text += "\n" + kind_text(loaded.matched, loaded.analysis.kinds[i]);
    }
    return text;
}

}  // namespace tuner::trace

// SPDX-License-Identifier: MIT
// The section that compares networks, or two runs.
#include <fmt/format.h>

#include <algorithm>

#include "command_lines.hpp"
#include "html.hpp"
#include "units.hpp"
#include "verdict.hpp"

namespace tuner::report {

namespace {

std::string won_text(const Comparison& comparison, const std::vector<WonRange>& won) {
    std::string text;
    for (const WonRange& range : won) {
        const bool is_a = range.winner == Winner::a;
        text += fmt::format(
            "{}{} {}, {:.2f} times faster", text.empty() ? "" : "; ",
            is_a ? side_label(comparison.a, comparison.b) : side_label(comparison.b, comparison.a),
            sizes_of(range), is_a ? range.ratio : 1 / range.ratio);
    }
    return text.empty() ? "no significant difference" : text;
}

std::string changeover_place(const std::optional<ChangeoverPoint>& place) {
    return place ? fmt::format("{} ({} to {})", size_label(place->bytes), size_label(place->interval.low),
                               size_label(place->interval.high))
                 : "none";
}

void compared_tables(Html& html, const Comparison& comparison) {
    const std::string a = side_label(comparison.a, comparison.b);
    const std::string b = side_label(comparison.b, comparison.a);
    Rows winners;
    Rows changeovers;
    for (const ComparedCell& cell : comparison.cells) {
        winners.push_back({collective_label(cell.key), to_string(cell.key.layout),
                           won_text(comparison, cell.won[best_choice])});
        for (const ComparedChangeover& change : cell.changeovers) {
            changeovers.push_back({collective_label(cell.key), to_string(cell.key.layout), change.from,
                                   change.to, changeover_place(change.a), changeover_place(change.b),
                                   change.has_moved() ? "moved" : ""});
        }
    }
    html.raw("<details>");
    html.element("summary", "Where each network is faster, with the best algorithm of each");
    table(html, {{"collective"}, {"layout"}, {"faster"}}, winners);
    html.raw("</details><details open>");
    const std::string title_a = "on " + a;
    const std::string title_b = "on " + b;
    html.element("summary", fmt::format("Changeover points of each network ({})", changeovers.size()));
    table(html,
          {{"collective"},
           {"layout"},
           {"from"},
           {"to"},
           {title_a.c_str(), true},
           {title_b.c_str(), true},
           {""}},
          changeovers);
    html.raw("</details>");
    if (!comparison.differing.empty()) {
        Rows conditions;
        for (const Condition& condition : comparison.differing) {
            conditions.push_back({condition.name, condition.a, condition.b});
        }
        html.raw("<details>");
        html.element("summary", fmt::format("Conditions that differ ({})", conditions.size()));
        table(html, {{"what"}, {a.c_str()}, {b.c_str()}}, conditions);
        html.raw("</details>");
    }
}

std::string fitted_text(const models::FittedParameter& p, bool is_time) {
    const auto text = [&](double value) {
        return is_time ? seconds_text(value) : fmt::format("{:.3g} ns", 1e9 * value);
    };
    return p.determined == models::Determined::unknown
               ? "unknown"
               : fmt::format("{} ({} to {})", text(p.value), text(p.interval.low), text(p.interval.high));
}

// LogGP side by side
void messages(Html& html, const Context& context) {
    Rows rows;
    for (const LinkParameters& link : context.data.network_parameters) {
        for (const models::LogGpSegment& s : link.log_gp) {
            rows.push_back({to_string(link.link), link.network,
                            size_label(s.from_bytes) + " to " + size_label(s.to_bytes),
                            fitted_text(s.latency_seconds, true), fitted_text(s.send_overhead_seconds, true),
                            fitted_text(s.receive_overhead_seconds, true), fitted_text(s.gap_seconds, true),
                            fitted_text(s.gap_seconds_per_byte, false)});
        }
    }
    html.element("h3", "Messages between two ranks (LogGP)");
    if (rows.empty()) {
        html.raw("<p>This run has no point-to-point parameters (");
        html.element("code", "network.json");
        html.raw("); the parameters that explain its collectives are in the section of the model.</p>");
        return;
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& x, const auto& y) { return x[0] < y[0]; });
    table(html,
          {{"link"},
           {"network"},
           {"bytes"},
           {"L", true},
           {"o_s", true},
           {"o_r", true},
           {"g", true},
           {"G per byte", true}},
          rows);
    downloads(html, context.table_named("point-to-point"));
}

}  // namespace

void networks(Html& html, const Context& context) {
    const ReportData& data = context.data;
    open_section(html, "networks", "Networks compared");
    if (data.comparisons.empty()) {
        html.raw("<p>The run has one network only. To compare it with another run directory: ");
        html.element("code", run_command("report", data.folder) + " --against OTHER_RUN");
        html.raw("</p>");
    } else {
        html.raw(
            "<p>Ratio of the times of the best algorithm of each network, against message size, a line for "
            "each "
            "layout; bars are 95% intervals, dots are significant differences. The samples come from "
            "different "
            "jobs.</p>");
    }
    for (const std::string& problem : data.comparison_problems) {
        html.element("p", "Not compared: " + problem);
    }
    for (std::size_t i = 0; i < data.comparisons.size(); ++i) {
        const Comparison& comparison = data.comparisons[i];
        html.element("h3", side_label(comparison.b, comparison.a) + " against " +
                               side_label(comparison.a, comparison.b));
        html.raw("<div class=\"figures\">");
        figures(html, context, {FigureKind::comparison}, false, i);
        html.raw("</div>");
        compared_tables(html, comparison);
    }
    downloads_of_filled(html, context, {"comparison"});
    messages(html, context);
    close_section(html);
}

}  // namespace tuner::report

// SPDX-License-Identifier: MIT
// The section of performance guidelines: what is violated, and a map of all comparisons by size.
#include <fmt/format.h>

#include <map>
#include <set>

#include "audit_text.hpp"
#include "command_lines.hpp"
#include "html.hpp"
#include "table_rows.hpp"
#include "units.hpp"

namespace tuner::report {

namespace {

constexpr std::size_t most_violations = 20;

std::string title_of(const AuditCase& of) {
    return fmt::format("{} {}, {}", of.cell.network, to_string(of.cell.layout),
                       of.is_loaded ? "with the rules" : "default");
}

std::string call_of(const AuditCase& of) {
    const models::Guideline guideline = guideline_of(of);
    return fmt::format("{}{} \u2264 {}", collective_label(of.cell),
                       guideline.is_reversed ? fmt::format(" {}", models::to_string(guideline.kind)) : "",
                       guideline.right_side);
}

void violations_table(Html& html, const Audit& audit) {
    Rows rows;
    for (const Violations& violations : violations_of(audit)) {
        const AuditResult& worst = *violations.worst;
        rows.push_back({title_of(worst.of), call_of(worst.of), bytes_text(worst.of.bytes),
                        fmt::format("{:.2f} ({:.2f} to {:.2f})", worst.ratio.ratio, worst.ratio.interval.low,
                                    worst.ratio.interval.high),
                        std::to_string(violations.sizes.size()), worst.of.rule, change_text(violations)});
        if (rows.size() == most_violations) {
            break;
        }
    }
    if (!rows.empty()) {
        table(html,
              {{"where"},
               {"guideline"},
               {"bytes", true},
               {"call / right side", true},
               {"sizes", true},
               {"rule"},
               {""}},
              rows);
    }
}

// By place and kind of jobs, then by guideline, the results by size
using Map = std::map<std::string, std::map<std::size_t, const AuditResult*>>;
std::map<std::string, Map> maps_of(const Audit& audit) {
    std::map<std::string, Map> maps;
    for (const AuditResult& result : audit.results) {
        maps[title_of(result.of)][call_of(result.of)][result.of.bytes] = &result;
    }
    return maps;
}

void map_table(Html& html, const Map& map) {
    std::set<std::size_t> sizes;
    for (const auto& [call, results] : map) {
        for (const auto& [bytes, result] : results) {
            sizes.insert(bytes);
        }
    }
    html.raw("<div class=\"wide\"><table><thead><tr><th>guideline</th>");
    for (const std::size_t bytes : sizes) {
        html.element("th", bytes_text(bytes), "class=\"n\"");
    }
    html.raw("</tr></thead><tbody>");
    for (const auto& [call, results] : map) {
        html.raw("<tr>");
        html.element("td", call);
        for (const std::size_t bytes : sizes) {
            const auto found = results.find(bytes);
            const bool is_violated = found != results.end() && found->second->is_violated;
            html.element("td",
                         found == results.end() ? "" : fmt::format("{:.2f}", found->second->ratio.ratio),
                         is_violated ? "class=\"n violated\"" : "class=\"n\"");
        }
        html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
}

}  // namespace

Table guidelines_table(const ReportData& data) {
    Table table = flat_table("guidelines", "Each call against the same result from other calls",
                             with_cell({"bytes", "mock_up", "with_rules", "rule", "call_by_mock_up", "low",
                                        "high", "p", "violated", "new"}));
    for (const AuditResult& result : data.audit ? data.audit->results : std::vector<AuditResult>{}) {
        add_row(table, result.of.cell,
                {result.of.bytes, result.of.mock_up, result.of.is_loaded, result.of.rule,
                 rounded(result.ratio.ratio), rounded(result.ratio.interval.low),
                 rounded(result.ratio.interval.high), rounded(result.p), result.is_violated, result.is_new});
    }
    return table;
}

void guidelines(Html& html, const Context& context) {
    const ReportData& data = context.data;
    open_section(html, "guidelines", "Performance guidelines");
    if (!data.audit) {
        html.raw("<p>A call should not be slower than the same result from other calls. To check this: ");
        html.element("code", changeover_command({"audit", "--run", data.folder, "--loaded"}));
        html.raw("</p>");
        close_section(html);
        return;
    }
    html.raw(
        "<p>A call should not be slower (\u2264) than the same result from other calls. Numbers are the time "
        "of the call by the time of these, in pairs. A guideline is violated if the call is slower by more "
        "than 5% and beyond chance.</p>");
    html.element("p", counts_text(*data.audit), "class=\"verdict\"");
    violations_table(html, *data.audit);
    for (const auto& [title, map] : maps_of(*data.audit)) {
        html.raw("<details>");
        html.element("summary", fmt::format("All comparisons by size: {} ({})", title, map.size()));
        map_table(html, map);
        html.raw("</details>");
    }
    folded_list(html, "Not measured", data.audit->notes);
    downloads(html, context.table_named("guidelines"));
    close_section(html);
}

}  // namespace tuner::report

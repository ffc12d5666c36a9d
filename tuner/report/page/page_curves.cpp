// SPDX-License-Identifier: MIT
// The sections with maps of gains and with curves.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "html.hpp"
#include "palette.hpp"

namespace tuner::report {

namespace {

constexpr std::size_t most_open_curves = 24;  // more would make the page too long to read or to print

// Is there a rule for any layout of the collective and network of this cell?
bool has_rules_on_map(const ReportData& data, std::size_t first_cell) {
    const CellKey& key = data.cells[first_cell].key;
    return std::any_of(data.cells.begin(), data.cells.end(), [&](const ReportCell& cell) {
        return is_same_collective(cell.key, key) && cell.key.network == key.network && !cell.near_miss;
    });
}

}  // namespace

void gains(Html& html, const Context& context) {
    open_section(
        html, "gains", "Gains",
        "Horizontal: message size; vertical: layout (nodes x processes per node). The colour is default "
        "time / tuned time - 1 at each size that was measured or verified; where a rule applies, its "
        "algorithm is written. Move the pointer over a cell to read the numbers.");
    html.raw("<p class=\"key\">");
    for (std::size_t i = 0; i < gain_steps().size(); ++i) {
        key_entry(html, fmt::format("g{}", i), gain_steps()[i].label);
    }
    html.raw("</p>");
    Html unchanged;  // maps of what keeps the default everywhere: folded away
    std::string names;
    for (const NamedFigure& named : context.figures) {
        if (named.kind == FigureKind::gains) {
            const bool has_rules = has_rules_on_map(context.data, named.cell);
            figure(has_rules ? html : unchanged, named, named.draw(), false);
            if (!has_rules) {
                const CellKey& key = context.data.cells[named.cell].key;
                names +=
                    fmt::format("{}{} on {}", names.empty() ? "" : ", ", collective_label(key), key.network);
            }
        }
    }
    if (!names.empty()) {
        html.raw("<details>");
        html.element("summary", "No change: " + names);
        html.raw(unchanged.markup);
        html.raw("</details>");
    }
    downloads(html, context.table_named("choices"));
    close_section(html);
}

namespace {

// Buttons that show and hide lines
void toggles(Html& html, const std::set<std::string>& algorithms) {
    html.raw("<p class=\"key toggles\">");
    for (const std::string& algorithm : algorithms) {
        html.raw(
            fmt::format("<button type=\"button\" aria-pressed=\"true\" data-toggle=\"{0}\"><svg viewBox=\"0 "
                        "0 22 10\"><path "
                        "class=\"{1} line\" d=\"M0,5L11,5L22,5\"/></svg>{0}</button> ",
                        escaped(algorithm), colour_class(algorithm)));
    }
    html.raw("</p>");
}

std::set<std::string> algorithms_of(const ReportData& data, const CellKey& collective) {
    std::set<std::string> algorithms;
    for (const ReportCell& cell : data.cells) {
        if (is_same_collective(cell.key, collective)) {
            for (const auto& [bytes, times] : cell.measured.times) {
                for (const auto& [algorithm, time] : times) {
                    algorithms.insert(algorithm);
                }
            }
        }
    }
    return algorithms;
}

}  // namespace

void curves(Html& html, const Context& context) {
    const ReportData& data = context.data;
    open_section(
        html, "curves", "Curves",
        "First, which algorithm is used from which size on: wide bars tuned, thin bars by default; pale "
        "is left to the library, whiskers are the intervals of changeover points. Then time against "
        "message size: the dashed line is the default, the broad yellow line is the tuned choice, "
        "vertical lines are changeover points with their intervals, thin dotted lines are the model. "
        "Bars are 95% intervals of medians, where they are longer than the line is wide. Move the "
        "pointer over a figure to read the numbers; click an algorithm to hide it.");
    const auto count = static_cast<std::size_t>(
        std::count_if(context.figures.begin(), context.figures.end(),
                      [](const NamedFigure& f) { return f.kind == FigureKind::curves; }));
    bool is_first = true;
    for (const NamedFigure& changeovers : context.figures) {
        if (changeovers.kind != FigureKind::changeovers) {
            continue;
        }
        const CellKey& key = data.cells[changeovers.cell].key;
        figure(html, changeovers, changeovers.draw(), false);
        html.raw(is_first || count <= most_open_curves ? "<details open data-scope>"
                                                       : "<details data-scope>");
        html.element("summary", "Curves of " + collective_label(key));
        toggles(html, algorithms_of(data, key));
        html.raw("<div class=\"figures\">");
        for (const NamedFigure& named : context.figures) {
            if (named.kind == FigureKind::curves && is_same_collective(data.cells[named.cell].key, key)) {
                figure(html, named, named.draw(), false);
            }
        }
        html.raw("</div></details>");
        is_first = false;
    }
    downloads_of_filled(html, context, {"times", "changeovers", "missing"});
    close_section(html);
}

}  // namespace tuner::report

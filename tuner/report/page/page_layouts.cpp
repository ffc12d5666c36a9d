// SPDX-License-Identifier: MIT
// The section with maps of layouts: which job has which rule.
#include <fmt/format.h>

#include <algorithm>

#include "html.hpp"

namespace tuner::report {

namespace {

constexpr std::size_t most_open_maps = 6;  // more would make the page too long to read or to print

void map_figure(Html& html, const NamedFigure& named, bool is_open) {
    const Figure drawn = named.draw();
    if (!is_open) {
        html.raw("<details>");
        html.element("summary", drawn.title);
    }
    figure(html, named, drawn, true);
    html.raw(is_open ? "" : "</details>");
}

}  // namespace

void layouts(Html& html, const Context& context) {
    open_section(html, "layouts", "Layouts");
    const bool has_maps = std::any_of(context.figures.begin(), context.figures.end(),
                                      [](const NamedFigure& f) { return f.kind == FigureKind::layouts; });
    html.raw(
        has_maps
            ? "<p>Which rule a job has. Horizontal: nodes; vertical: ranks on a node (ppn); one row of "
              "maps for each of a few message sizes. On the left the algorithm that the rule chooses, on "
              "the right the gain of this rule over the library's own choice. A dot: this layout was "
              "measured; hatched: beyond what was measured; empty: no rule. Move the pointer over a "
              "field to read its rule. The table of rules has the same facts as text.</p>"
            : "<p>No map: there are no rules, or one layout was measured and the rules are for this "
              "layout only. Rules for other layouts need a collective measured on at least three "
              "layouts; name them in the cluster file.</p>");
    std::size_t maps = 0;
    for (const NamedFigure& named : context.figures) {
        if (named.kind == FigureKind::layouts) {
            map_figure(html, named, ++maps <= most_open_maps);
        }
    }
    close_section(html);
}

}  // namespace tuner::report

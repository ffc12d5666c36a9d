// SPDX-License-Identifier: MIT
#include "page.hpp"

#include <fmt/format.h>

#include "figures.hpp"
#include "machine.hpp"
#include "process.hpp"
#include "report/html.hpp"
#include "units.hpp"

namespace tuner::trace {

namespace {

using report::Html;

constexpr std::size_t most_figured = 4;  // kinds with figures

void preformatted(Html& html, const std::string& text) {
    html.element("pre", text);
}

void arrivals_table(Html& html, const Analysis& analysis) {
    report::Rows rows;
    for (const RankArrivals& rank : analysis.arrivals) {
        rows.push_back({std::to_string(rank.rank), std::to_string(rank.calls), std::to_string(rank.last),
                        seconds_text(std::max(median_of(rank.behind_seconds), 1e-9)),
                        seconds_text(std::max(rank.caused_seconds, 1e-9))});
    }
    report::table(html,
                  {{"rank"},
                   {"calls", true},
                   {"last in", true},
                   {"then behind the median arrival by", true},
                   {"others waited for it", true}},
                  rows);
}

}  // namespace

std::string html_page(const LoadedTrace& loaded, const std::vector<const Kind*>& kinds,
                      const std::vector<PageSection>& more) {
    Html html;
    report::open_page(html, "changeover trace: " + loaded.trace.prefix, new_token());
    html.element("h1", loaded.trace.prefix);
    html.element("p", fmt::format("Inside of MPI collectives; changeover {}", program_version));
    html.raw("</header><main><section>");
    html.element("h2", "what it says");
    preformatted(html, findings_text(loaded));
    html.element("h2", "calls");
    preformatted(html, kinds_table(loaded.analysis));
    for (const PageSection& section : more) {
        html.element("h2", section.title);
        preformatted(html, section.text);
    }
    for (std::size_t i = 0; i < std::min(kinds.size(), most_figured); ++i) {
        html.element("h2", to_string(kinds[i]->key));
        preformatted(html, kind_text(*kinds[i]));
        html.raw("<div class=\"figures\">");
        report::figure(html, fmt::format("timemap-{}", i + 1), draw_timemap(*kinds[i]), true);
        report::figure(html, fmt::format("waits-{}", i + 1), draw_waits(*kinds[i]), true);
        html.raw("</div>");
        report::figure(html, fmt::format("messages-{}", i + 1), draw_messages(loaded, *kinds[i]), true);
    }
    html.element("h2", "last arrivals");
    arrivals_table(html, loaded.analysis);
    html.element("h2", "what was read");
    preformatted(html, overview_text(loaded));
    html.raw("</section></main></body></html>\n");
    return std::move(html.markup);
}

}  // namespace tuner::trace

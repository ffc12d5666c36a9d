// SPDX-License-Identifier: MIT
// The section of messages: what each network does with exchanges of messages, in a table and against size.
#include <fmt/format.h>

#include <set>

#include "exchange_headlines.hpp"
#include "html.hpp"

namespace tuner::report {

void exchanges(Html& html, const Context& context) {
    const ReportData& data = context.data;
    html.raw("<section id=\"exchanges\"><h2>Messages</h2>");
    if (data.exchanges.empty()) {
        html.raw("<p>This run has no exchanges of messages. To measure them: ");
        html.element("code", "changeover run --plan network --run DIR");
        html.raw("</p></section>");
        return;
    }
    html.raw(
        "<p>Latency is of the shortest message, bandwidth and message rate are the highest, availability and "
        "overlap the medians over all sizes. In brackets: repetitions that take more than twice the "
        "shortest.</p>");
    std::set<std::string> networks;
    using Row = std::tuple<std::string, Layout, std::string, std::string>;
    std::map<Row, std::map<std::string, std::string>> texts;
    for (const Headline& headline : headlines_of(data.exchanges)) {
        networks.insert(headline.key.network);
        texts[{headline.key.exchange, headline.key.layout, headline.key.way, headline.quantity}]
             [headline.key.network] = fmt::format("{} ({:.1f}%)", headline.text, 100 * headline.share_beyond);
    }
    std::vector<Column> columns = {{"exchange"}, {"layout"}, {"way"}, {"what"}};
    for (const std::string& network : networks) {
        columns.push_back({network.c_str(), true});
    }
    Rows rows;
    for (const auto& [row, by_network] : texts) {
        const auto& [exchange, layout, way, quantity] = row;
        rows.push_back({exchange, to_string(layout), way, quantity});
        for (const std::string& network : networks) {
            const auto found = by_network.find(network);
            rows.back().push_back(found == by_network.end() ? "" : found->second);
        }
    }
    html.raw("<div class=\"figures\">");
    for (const NamedFigure& named : context.figures) {
        if (named.kind == FigureKind::exchange) {
            figure(html, named, named.draw(), true);
        }
    }
    html.raw("</div><details>");
    html.element("summary", fmt::format("All exchanges at a glance ({})", rows.size()));
    table(html, columns, rows);
    html.raw("</details>");
    downloads(html, context.table_named("exchanges"));
    html.raw("</section>");
}

}  // namespace tuner::report

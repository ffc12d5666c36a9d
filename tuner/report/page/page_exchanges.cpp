// SPDX-License-Identifier: MIT
// The section of messages: what each network does with exchanges of messages, in a table and against size.
#include <fmt/format.h>

#include <set>

#include "command_lines.hpp"
#include "exchange_headlines.hpp"
#include "html.hpp"

namespace tuner::report {

void exchanges(Html& html, const Context& context) {
    const ReportData& data = context.data;
    open_section(html, "exchanges", "Messages");
    if (data.exchanges.empty()) {
        html.raw("<p>This run has no exchanges of messages. To measure them, in a run of their own: ");
        html.element("code", changeover_command({"tune", "--plan", "network", "--run", "network-run"}));
        html.raw("</p>");
        close_section(html);
        return;
    }
    html.raw(
        "<p>Latency is of the shortest message, bandwidth and message rate are the highest, availability and "
        "overlap are medians over all sizes. In parentheses: share of the repetitions that take more than "
        "twice "
        "the shortest.</p>");
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
    figures(html, context, {FigureKind::exchange}, true);
    html.raw("</div><details>");
    html.element("summary", fmt::format("Summary of all exchanges ({})", rows.size()));
    table(html, columns, rows);
    html.raw("</details>");
    downloads(html, context.table_named("exchanges"));
    close_section(html);
}

}  // namespace tuner::report

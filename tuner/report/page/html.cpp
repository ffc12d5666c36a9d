// SPDX-License-Identifier: MIT
#include "html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "axes.hpp"

namespace tuner::report {

namespace {

constexpr std::size_t most_shown_rows = 60;  // of a table in the page

// Long names may be broken behind an underscore
std::string breakable(std::string_view text) {
    std::string result;
    for (const char c : escaped(text)) {
        result += c;
        result += c == '_' ? "<wbr>" : "";
    }
    return result;
}

}  // namespace

void Html::element(std::string_view tag, std::string_view content, std::string_view attributes) {
    markup +=
        fmt::format("<{}{}{}>{}</{}>", tag, attributes.empty() ? "" : " ", attributes, escaped(content), tag);
}

void table(Html& html, const std::vector<Column>& columns, const Rows& rows) {
    html.raw("<div class=\"wide\"><table><thead><tr>");
    for (const Column& column : columns) {
        html.element("th", column.title, column.is_number ? "class=\"n\"" : "");
    }
    html.raw("</tr></thead><tbody>");
    for (std::size_t i = 0; i < std::min(rows.size(), most_shown_rows); ++i) {
        html.raw("<tr>");
        for (std::size_t c = 0; c < columns.size(); ++c) {
            html.raw(columns[c].is_number ? "<td class=\"n\">" : "<td>");
            html.raw(breakable(rows[i][c]) + "</td>");
        }
        html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
    if (rows.size() > most_shown_rows) {
        html.element(
            "p", fmt::format("The first {} of {} rows; the download has all.", most_shown_rows, rows.size()));
    }
}

void table(Html& html, const TextTable& of) {
    std::vector<Column> columns;
    for (const std::string& title : of.rows().front()) {
        columns.push_back({title.c_str(), !columns.empty()});
    }
    Rows rows(of.rows().begin() + 1, of.rows().end());
    const std::size_t all = rows.size();
    if (all > most_shown_rows) {
        rows.erase(rows.begin() + most_shown_rows - 1, rows.end() - 1);
    }
    table(html, columns, rows);
    if (all > most_shown_rows) {
        html.element("p", fmt::format("The first {} and the last of {} rows.", most_shown_rows - 1, all));
    }
}

void downloads(Html& html, const Table& of) {
    html.raw("<p class=\"downloads\">");
    html.text(fmt::format("{} ({} row{}): ", of.title, of.rows(), of.rows() == 1 ? "" : "s"));
    for (const char* as : {"csv", "json"}) {
        html.raw(fmt::format("<button type=\"button\" data-table=\"{}\" data-as=\"{}\">{}.{}</button> ",
                             of.name, as, of.name, as));
    }
    html.raw("</p>");
}

void key_entry(Html& html, const KeyEntry& entry) {
    Drawing box;
    draw_key_box(box, {0, 0}, entry.kind, entry.classes);
    html.raw(
        fmt::format("<span><svg viewBox=\"0 0 14 10\">{}</svg>{}</span> ", box.str(), escaped(entry.label)));
}

void key_entry(Html& html, std::string_view classes, std::string_view label) {
    key_entry(html, {KeyEntry::Kind::box, std::string(classes), std::string(label)});
}

void figure(Html& html, const NamedFigure& named, const Figure& drawn, bool has_key) {
    figure(html, named.name, drawn, has_key);
}

void figure(Html& html, std::string_view id, const Figure& drawn, bool has_key) {
    html.raw(fmt::format("<figure id=\"{}\"><figcaption>{}</figcaption><div class=\"wide\">{}</div>", id,
                         escaped(drawn.title), svg_for_page(drawn)));
    if (has_key) {
        html.raw("<p class=\"key\">");
        for (const KeyEntry& entry : drawn.key) {
            key_entry(html, entry);
        }
        html.raw("</p>");
    }
    if (!drawn.note.empty()) {
        html.element("p", drawn.note, "class=\"note\"");
    }
    html.raw("</figure>");
}

void figures(Html& html, const Context& context, std::initializer_list<FigureKind> kinds, bool has_key,
             std::optional<std::size_t> cell) {
    for (const NamedFigure& named : context.figures) {
        const bool is_wanted = std::find(kinds.begin(), kinds.end(), named.kind) != kinds.end();
        if (is_wanted && (!cell || named.cell == *cell)) {
            figure(html, named, named.draw(), has_key);
        }
    }
}

void open_section(Html& html, const char* id, const char* title, const char* introduction) {
    html.raw(fmt::format("<section id=\"{}\"><h2>{}</h2>", id, title));
    if (*introduction != '\0') {
        html.raw(fmt::format("<p>{}</p>", introduction));
    }
}

void close_section(Html& html) {
    html.raw("</section>");
}

void folded_list(Html& html, const std::string& title, const std::vector<std::string>& items) {
    if (items.empty()) {
        return;
    }
    html.raw("<details>");
    html.element("summary", fmt::format("{} ({})", title, items.size()));
    html.raw("<ul>");
    for (const std::string& item : items) {
        html.element("li", item);
    }
    html.raw("</ul></details>");
}

void downloads_of_filled(Html& html, const Context& context, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (!context.table_named(name).is_empty()) {
            downloads(html, context.table_named(name));
        }
    }
}

}  // namespace tuner::report

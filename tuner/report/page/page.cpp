// SPDX-License-Identifier: MIT
#include "page.hpp"

#include <fmt/format.h>

#include <iterator>

#include "html.hpp"
#include "machine.hpp"
#include "page_parts.hpp"
#include "palette.hpp"
#include "process.hpp"

namespace tuner::report {

namespace {

std::string data_for_script(const std::vector<Table>& tables) {
    Json all = Json::object();
    for (const Table& of : tables) {
        all[of.name] = to_json(of);
    }
    return safe_in_script(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

struct Section {
    const char* id;
    const char* title;
    void (*write)(Html& html, const Context& context);
};
// Others come before the last one
constexpr Section sections[] = {
    {"answer", "result", answer},
    {"gains", "gains", gains},
    {"layouts", "layouts", layouts},
    {"curves", "curves", curves},
    {"networks", "networks compared", networks},
    {"exchanges", "messages", exchanges},
    {"guidelines", "guidelines", guidelines},
    {"distributions", "distributions", distributions},
    {"model", "model", model_section},
    {"how", "how it was measured", how_measured},
};

}  // namespace

std::string link_to(std::string_view id, std::string_view title) {
    return fmt::format("<a href=\"#{}\">{}</a> ", id, escaped(title));
}

void open_page(Html& html, const std::string& title, const std::string& nonce) {
    html.raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.raw(fmt::format(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{0}'; "
        "style-src 'nonce-{0}'; img-src data:; base-uri 'none'; form-action 'none'\">",
        nonce));
    html.raw(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        "<meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\">");
    html.element("title", title);
    html.raw(
        fmt::format("<style nonce=\"{}\">{}{}@media screen and (prefers-color-scheme:dark){{{}}}</style>",
                    nonce, page_style, figure_style_light(), figure_style_dark()));
    html.raw("</head><body><svg class=\"marks\" aria-hidden=\"true\">" + marker_definitions() +
             "</svg><header>");
}

void close_page(Html& html, const std::string& data_json, const std::string& nonce) {
    html.raw("</main><div id=\"tip\" role=\"status\" hidden></div>");
    html.raw(fmt::format("<script type=\"application/json\" id=\"data\">{}</script>", data_json));
    html.raw(fmt::format("<script nonce=\"{}\">{}</script></body></html>\n", nonce, page_script));
}

std::string html_page(const ReportData& data, const std::vector<OtherSection>& others) {
    const Context context{data, tables_of(data), figures_of(data)};
    // Whoever wrote a host name into a run cannot know it, so nothing of theirs can run even if it were not
    // escaped.
    const std::string nonce = new_token();
    Html html;
    open_page(html, "changeover: " + data.cluster.name, nonce);
    html.element("h1", data.cluster.name);
    html.element("p",
                 fmt::format("MPI collectives measured on {} with {}; changeover {}",
                             data.manifest.created.substr(0, 10), data.cluster.library, program_version));
    std::string links;
    Html body;
    for (const Section& section : sections) {
        if (&section == std::end(sections) - 1) {
            for (const OtherSection& other : others) {
                links += link_to(other.id, other.title);
                body.raw(other.markup);
            }
        }
        links += link_to(section.id, section.title);
        section.write(body, context);
    }
    html.raw("<nav>" + links + "</nav></header><main>" + body.markup);
    close_page(html, data_for_script(context.tables), nonce);
    return std::move(html.markup);
}

}  // namespace tuner::report

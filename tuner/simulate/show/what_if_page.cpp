// SPDX-License-Identifier: MIT
#include "what_if_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "axes.hpp"
#include "html.hpp"
#include "process.hpp"
#include "units.hpp"

namespace tuner {

namespace {

using report::Html;

constexpr double row_height = 20;

std::vector<std::string> collectives_of(const WhatIf& what_if) {
    std::vector<std::string> names;
    for (const WhatIfCall& call : what_if.calls) {
        if (names.empty() || names.back() != call.collective) {
            names.push_back(call.collective);
        }
    }
    return names;
}

std::string colour_of(std::size_t collective) {
    return fmt::format("c{} fill", collective % report::line_colours);
}

// The parts of a bar, one for each collective
void draw_bar(report::Plot& plot, const WhatIf& what_if, const std::vector<double>& seconds, double top,
              double units_per_second) {
    const std::vector<std::string> collectives = collectives_of(what_if);
    double left = plot.frame.left;
    for (std::size_t c = 0; c < collectives.size(); ++c) {
        double sum = 0;
        for (std::size_t i = 0; i < seconds.size(); ++i) {
            sum += what_if.calls[i].collective == collectives[c] ? seconds[i] : 0;
        }
        plot.drawing.open("");
        plot.drawing.title(collectives[c] + ": " + seconds_text(sum));
        plot.drawing.rect({left, top}, sum * units_per_second, row_height - 4,
                          fmt::format("class=\"{}\"", colour_of(c)));
        plot.drawing.close();
        left += sum * units_per_second;
    }
    plot.drawing.label({left + 6, top + 12}, report::Anchor::start, "ink", seconds_text(sum_of(seconds)));
}

void calls_section(Html& html, const WhatIf& what_if) {
    report::open_section(
        html, "calls", "Where the time goes",
        "All calls of a kind together, tuned: with the best algorithm of each, which is named.");
    std::vector<report::Column> columns = {{"call"}, {"calls", true}};
    std::vector<std::string> names;
    for (const WhatIfPlace& place : what_if.places) {
        names.push_back(place.name());
    }
    for (const std::string& name : names) {
        columns.insert(columns.end(), {{name.c_str(), true}, {"tuned", true}, {"by"}});
    }
    report::Rows rows;
    for (std::size_t i = 0; i < what_if.calls.size(); ++i) {
        const WhatIfCall& call = what_if.calls[i];
        rows.push_back({call.collective + " " + bytes_text(call.bytes), std::to_string(call.number)});
        for (const WhatIfPlace& place : what_if.places) {
            rows.back().insert(rows.back().end(), {seconds_text(place.by_default[i]),
                                                   seconds_text(place.tuned[i]), place.best[i]});
        }
    }
    report::table(html, columns, rows);
    if (const std::string left = left_out_text(what_if); !left.empty()) {
        html.element("p", left + ".");
    }
    report::close_section(html);
}

// Of one platform, with several layouts
void layouts_of_platform(Html& html, const WhatIf& what_if, const std::vector<const WhatIfPlace*>& places) {
    html.element("h3", places.front()->platform);
    report::Rows rows;
    for (const WhatIfPlace* place : places) {
        const double tuned = sum_of(place->tuned);
        rows.push_back({to_string(place->layout), std::to_string(place->layout.ranks()),
                        seconds_text(sum_of(place->by_default)), seconds_text(tuned),
                        fmt::format("{:.2f}", tuned / sum_of(places.front()->tuned))});
    }
    report::table(
        html, {{"layout"}, {"ranks", true}, {"default", true}, {"tuned", true}, {"against the first", true}},
        rows);
    std::vector<std::string> changes;
    for (std::size_t i = 0; i < what_if.calls.size(); ++i) {
        std::string text;
        std::set<std::string> different;
        for (const WhatIfPlace* place : places) {
            different.insert(place->best[i]);
            text +=
                fmt::format("{} {} on {}", text.empty() ? "" : ",", place->best[i], to_string(place->layout));
        }
        if (different.size() > 1) {
            changes.push_back(what_if.calls[i].collective + " " + bytes_text(what_if.calls[i].bytes) + ":" +
                              text);
        }
    }
    report::folded_list(html, "Calls whose best algorithm changes", changes);
}

// What links to it
std::string layouts_section(Html& html, const WhatIf& what_if) {
    std::map<std::string, std::vector<const WhatIfPlace*>> by_platform;
    for (const WhatIfPlace& place : what_if.places) {
        by_platform[place.platform].push_back(&place);
    }
    if (by_platform.begin()->second.size() < 2) {
        return "";
    }
    report::open_section(html, "layouts", "Ranks on a node",
                         "The same calls with the same message sizes on other layouts of one platform.");
    for (const auto& [platform, places] : by_platform) {
        layouts_of_platform(html, what_if, places);
    }
    report::close_section(html);
    return report::link_to("layouts", "ranks on a node");
}

}  // namespace

report::Figure draw_totals(const WhatIf& what_if) {
    double longest = 0;
    double name_width = 0;
    for (const WhatIfPlace& place : what_if.places) {
        longest = std::max(longest, sum_of(place.by_default));
        name_width = std::max(name_width, report::text_width(place.name() + ", default", report::font_size));
    }
    const double height = 2 * row_height * static_cast<double>(what_if.places.size());
    report::Plot plot("Time of all calls", 760, height + 12, {name_width + 12, 680, 4, 4 + height});
    const double units_per_second = plot.frame.width() / longest;
    double top = plot.frame.top + 2;
    for (const WhatIfPlace& place : what_if.places) {
        for (const auto& [name, seconds] :
             {std::pair("default", &place.by_default), std::pair("tuned", &place.tuned)}) {
            plot.drawing.label({plot.frame.left - 6, top + 12}, report::Anchor::end, "ink",
                               place.name() + ", " + name);
            draw_bar(plot, what_if, *seconds, top, units_per_second);
            top += row_height;
        }
    }
    const std::vector<std::string> collectives = collectives_of(what_if);
    for (std::size_t c = 0; c < collectives.size(); ++c) {
        plot.add_key(report::KeyEntry::Kind::box, colour_of(c), collectives[c]);
    }
    return plot.finish("data-kind=\"totals\"");
}

std::string html_page(const WhatIf& what_if) {
    Html body;
    report::open_section(body, "totals", "Totals");
    if (const std::string answer = answer_of(what_if); !answer.empty()) {
        body.element("p", answer + ".");
    }
    report::figure(body, "totals-figure", draw_totals(what_if), true);
    report::close_section(body);
    const std::string links = report::link_to("totals", "totals") + layouts_section(body, what_if) +
                              report::link_to("calls", "where the time goes");
    calls_section(body, what_if);
    Html html;
    const std::string nonce = new_token();
    report::open_page(html, "What if: calls of a program on simulated machines", nonce);
    html.element("h1", "What if: calls of a program on simulated machines");
    html.element(
        "p",
        "SIMULATED: no message was sent. Times of the program's collective calls, all ranks arriving "
        "together, by MPICH's default and tuned: with the best algorithm of each call.");
    html.raw("<nav>" + links + "</nav></header><main>" + body.markup);
    report::close_page(html, "{}", nonce);
    return std::move(html.markup);
}

}  // namespace tuner

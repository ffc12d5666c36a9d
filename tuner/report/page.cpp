// SPDX-License-Identifier: MIT
#include "page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "figures.hpp"
#include "machine.hpp"
#include "page_parts.hpp"
#include "palette.hpp"
#include "process.hpp"
#include "svg.hpp"
#include "tables.hpp"
#include "units.hpp"

namespace tuner::report {

namespace {

constexpr std::size_t most_open_curves = 24;  // more would be too long to read or print unasked
constexpr std::size_t most_shown_rows = 60;   // of a table in the page; downloads have all

// A piece of HTML; texts from outside go through `text`
struct Html {
    std::string markup;

    void raw(std::string_view html) { markup += html; }
    void text(std::string_view content) { markup += escaped(content); }
    void element(std::string_view tag, std::string_view content, std::string_view attributes = "") {
        markup += fmt::format("<{}{}{}>{}</{}>", tag, attributes.empty() ? "" : " ", attributes,
                              escaped(content), tag);
    }
};

struct Column {
    const char* title;
    bool is_number = false;
};

using Rows = std::vector<std::vector<std::string>>;

void table(Html& html, const std::vector<Column>& columns, const Rows& rows) {
    html.raw("<div class=\"wide\"><table><thead><tr>");
    for (const Column& column : columns) {
        html.element("th", column.title, column.is_number ? "class=\"n\"" : "");
    }
    html.raw("</tr></thead><tbody>");
    for (std::size_t i = 0; i < std::min(rows.size(), most_shown_rows); ++i) {
        html.raw("<tr>");
        for (std::size_t c = 0; c < columns.size(); ++c) {
            html.element("td", rows[i][c], columns[c].is_number ? "class=\"n\"" : "");
        }
        html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
    if (rows.size() > most_shown_rows) {
        html.element(
            "p", fmt::format("The first {} of {} rows; the download has all.", most_shown_rows, rows.size()));
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

std::string range_text(std::size_t from, std::size_t to) {
    return bytes_text(from) + " to " + (to == no_end ? "any" : bytes_text(to));
}

std::string percent_interval(double gain, const models::Interval& interval) {
    return fmt::format("{} ({} to {})", percent_label(1 + gain), percent_label(1 + interval.low),
                       percent_label(1 + interval.high));
}

// Everything that the sections share
struct Context {
    const ReportData& data;
    std::vector<Table> tables;
    std::vector<NamedFigure> figures;

    const Table& table_named(const std::string& name) const { return find_table(tables, name); }
};

void figure(Html& html, const NamedFigure& named, const Figure& drawn, bool has_key) {
    html.raw(fmt::format("<figure id=\"{}\"><figcaption>{}</figcaption><div class=\"wide\">{}</div>",
                         named.name, escaped(drawn.title), svg_for_page(drawn)));
    if (has_key) {
        html.raw("<p class=\"key\">");
        for (const KeyEntry& entry : drawn.key) {
            html.raw(
                fmt::format("<span><svg viewBox=\"0 0 14 10\"><rect class=\"{}{}\" width=\"14\" "
                            "height=\"10\"/></svg>{}</span> ",
                            entry.classes, entry.classes[0] == 'c' ? " fill" : "", escaped(entry.label)));
        }
        html.raw("</p>");
    }
    html.raw("</figure>");
}

// ---- the answer

void headline_number(Html& html, const std::string& number, const std::string& what) {
    html.raw("<div>");
    html.element("b", number);
    html.element("span", what);
    html.raw("</div>");
}

std::string proof_text(const Proof& proof) {
    return fmt::format("{} of {} bytes with {}, {} {}", collective_label(proof.cell), bytes_text(proof.bytes),
                       proof.algorithm, proof.cell.network, to_string(proof.cell.layout));
}

void headline(Html& html, const ReportData& data) {
    const Gains& gains = data.gains;
    html.raw("<div class=\"headline\">");
    if (!data.has_config) {
        headline_number(html, "not decided yet", fmt::format("{} cases were measured", data.cases));
    } else if (data.config.rules.empty()) {
        headline_number(html, "nothing to change",
                        "no algorithm beats the library's default beyond noise on this machine");
    } else if (gains.proofs.empty()) {
        headline_number(
            html, percent_label(gains.mean_of_changed),
            fmt::format("faster where a rule applies, NOT VERIFIED: geometric mean of {} sizes that "
                        "were also used for deciding",
                        gains.changed_sizes));
    } else {
        headline_number(
            html, percent_label(gains.geometric_mean),
            fmt::format("faster where a rule applies: geometric mean of {} sizes that were not used "
                        "for deciding, default and tuned measured in pairs",
                        gains.proofs.size()));
        headline_number(html, percent_label(gains.proofs.front()->ratio.ratio),
                        "the best: " + proof_text(*gains.proofs.front()));
        headline_number(html, percent_label(gains.proofs.back()->ratio.ratio),
                        "the worst: " + proof_text(*gains.proofs.back()));
    }
    if (!data.config.rules.empty()) {
        headline_number(
            html, fmt::format("{}", data.config.rules.size()),
            fmt::format("rule{}; {} of {} measured sizes change, the library decides the rest",
                        data.config.rules.size() == 1 ? "" : "s", gains.changed_sizes, gains.sizes));
    }
    html.raw("</div>");
}

void problems(Html& html, const ReportData& data) {
    if (data.problems.empty()) {
        return;
    }
    html.raw("<ul class=\"problems\">");
    for (const Problem& problem : data.problems) {
        html.raw("<li>");
        html.text(problem.what);
        if (!problem.remedy.empty()) {
            html.raw(" ");
            html.element("code", problem.remedy);
        }
        html.raw("</li>");
    }
    html.raw("</ul>");
}

void what_to_type(Html& html, const ReportData& data) {
    const std::vector<HowTo> all = how_to_use(data);
    if (all.empty()) {
        return;
    }
    html.raw("<h3>What to type</h3>");
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i == 1 && all.size() > 3) {
            html.raw("<details>");
            html.element("summary", fmt::format("Other layouts and networks, and an unpatched MPICH ({})",
                                                all.size() - 1));
        }
        html.raw(i == 0 ? "<details open>" : "<details>");
        html.element("summary", all[i].title);
        html.element("pre", all[i].lines);
        html.raw("</details>");
    }
    html.raw(all.size() > 3 ? "</details>" : "");
}

void rules(Html& html, const Context& context) {
    const ReportData& data = context.data;
    if (data.config.rules.empty()) {
        return;
    }
    Rows rows;
    for (const Rule& rule : data.config.rules) {
        rows.push_back({rule.network, to_string(rule.layout), rule.collective,
                        range_text(rule.from_bytes, rule.to_bytes), rule.algorithm,
                        data.config.verified ? percent_interval(rule.verified_gain, rule.verified_interval)
                                             : percent_label(1 + rule.expected_gain) + ", not verified"});
    }
    html.raw(rows.size() <= 24 ? "<details open>" : "<details>");
    html.element("summary", fmt::format("The rules ({})", rows.size()));
    table(html,
          {{"network"}, {"layout"}, {"collective"}, {"bytes"}, {"algorithm"}, {"gain (95% interval)", true}},
          rows);
    html.raw("</details>");
    downloads(html, context.table_named("rules"));
    if (!data.proofs.empty()) {
        downloads(html, context.table_named("verification"));
    }
}

void not_improved(Html& html, const Context& context) {
    const ReportData& data = context.data;
    Rows rows;
    for (const ReportCell& cell : data.cells) {
        if (cell.near_miss) {
            const NearMiss& miss = *cell.near_miss;
            rows.push_back({collective_label(cell.key), cell.key.network, to_string(cell.key.layout),
                            miss.algorithm.empty()
                                ? ""
                                : fmt::format("{} at {}: {}", miss.algorithm, bytes_text(miss.bytes),
                                              percent_label(miss.gain)),
                            miss.why});
        }
    }
    if (!rows.empty()) {
        html.raw(rows.size() <= 16 ? "<details open>" : "<details>");
        html.element("summary", fmt::format("Not improved, and why ({})", rows.size()));
        table(html,
              {{"collective"}, {"network"}, {"layout"}, {"best other algorithm"}, {"why it was not taken"}},
              rows);
        html.raw("</details>");
        downloads(html, context.table_named("not-improved"));
    }
    if (!data.config.notes.empty()) {
        html.raw("<details>");
        html.element("summary", fmt::format("Rules that were narrowed or dropped when verified ({})",
                                            data.config.notes.size()));
        html.raw("<ul>");
        for (const std::string& note : data.config.notes) {
            html.element("li", note);
        }
        html.raw("</ul></details>");
    }
}

void answer(Html& html, const Context& context) {
    html.raw("<section id=\"answer\"><h2>The answer</h2>");
    headline(html, context.data);
    problems(html, context.data);
    what_to_type(html, context.data);
    rules(html, context);
    not_improved(html, context);
    html.raw("</section>");
}

// ---- gains and curves

// Is there a rule for any layout of the collective and network of this cell?
bool has_rules_on_map(const ReportData& data, std::size_t first_cell) {
    const CellKey& key = data.cells[first_cell].key;
    return std::any_of(data.cells.begin(), data.cells.end(), [&](const ReportCell& cell) {
        return is_same_collective(cell.key, key) && cell.key.network == key.network && !cell.near_miss;
    });
}

void gains(Html& html, const Context& context) {
    html.raw(
        "<section id=\"gains\"><h2>Gains</h2><p>Message size across, layout (nodes x processes per node) "
        "down; the colour is default time / tuned time - 1 at each size that was measured or verified, the "
        "algorithm of a rule is "
        "written in it. Hover for figures.</p>");
    Html key;
    key.raw("<p class=\"key\">");
    for (std::size_t i = 0; i < gain_steps().size(); ++i) {
        key.raw(
            fmt::format("<span><svg viewBox=\"0 0 14 10\"><rect class=\"g{}\" width=\"14\" "
                        "height=\"10\"/></svg>{}</span> ",
                        i, escaped(gain_steps()[i].label)));
    }
    key.raw("</p>");
    html.raw(key.markup);
    Html unchanged;  // maps of what keeps the default everywhere: for whoever asks
    std::string names;
    for (const NamedFigure& named : context.figures) {
        if (named.kind == FigureKind::gains) {
            const bool has_rules = has_rules_on_map(context.data, named.cell);
            figure(has_rules ? html : unchanged, named, named.draw(), false);
            if (!has_rules) {
                const CellKey& cell = context.data.cells[named.cell].key;
                names += fmt::format("{}{} on {}", names.empty() ? "" : ", ", collective_label(cell),
                                     cell.network);
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
    html.raw("</section>");
}

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

void curves(Html& html, const Context& context) {
    const ReportData& data = context.data;
    html.raw(
        "<section id=\"curves\"><h2>Curves</h2><p>First, which algorithm from which size on: wide bars "
        "tuned, thin "
        "bars by default; pale is left to the library, whiskers are the intervals of changeovers. Then time "
        "against message size: dashed is the default, the broad yellow line is the tuned choice, vertical "
        "lines "
        "are changeovers with their intervals, thin dotted lines are the model. Bars are 95% intervals of "
        "medians, where they are longer than the line is wide. Hover for figures; click an algorithm to hide "
        "it.</p>");
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
    for (const char* name : {"times", "changeovers", "missing"}) {
        if (!context.table_named(name).is_empty()) {
            downloads(html, context.table_named(name));
        }
    }
    html.raw("</section>");
}

// ---- distributions, model, how it was measured

void distributions(Html& html, const Context& context) {
    const ReportData& data = context.data;
    html.raw(
        "<section id=\"distributions\"><h2>Distributions</h2><p>All repetitions of a few cases, on a "
        "logarithmic "
        "axis: those with the largest and the smallest verified gain, and those with the longest tails. A "
        "repetition that is far out and late by about 200 ms or its doubles is suspected to have waited for "
        "a "
        "TCP retransmission.</p><div class=\"figures\">");
    for (const NamedFigure& named : context.figures) {
        if (named.kind == FigureKind::distribution) {
            figure(html, named, named.draw(), true);
        }
    }
    html.raw("</div>");
    if (data.distributions.empty()) {
        html.element("p", "No case has enough repetitions.");
    } else {
        const Distribution& shown = data.distributions.front();
        html.raw("<p>The times of each rank are not kept in a run. To see them for the first of these:</p>");
        std::string algorithms;
        for (const Distribution::Series& series : shown.series) {
            algorithms += (algorithms.empty() ? "" : ",") + series.algorithm;
        }
        html.element("pre", to_shell(launch_command(
                                data.cluster, data.cluster.network(shown.cell.network), shown.cell.layout,
                                {data.cluster.benchmark, shown.cell.collective, "--sizes",
                                 std::to_string(shown.bytes), "--algorithms", algorithms, "--ranks"})));
        downloads(html, context.table_named("distributions"));
    }
    html.raw("<p>The repetitions of all cases are in ");
    html.element("code", "samples.jsonl");
    html.raw(" of the run directory.</p></section>");
}

// 0.00012 s or s/byte, as people write it
std::string parameter_text(double value, bool is_time) {
    return is_time ? seconds_text(value) : fmt::format("{:.3g} ns/byte", 1e9 * value);
}

void parameters(Html& html, const NetworkModel& model) {
    Rows rows;
    for (const models::FittedParameter& p : model.fit->fit.parameters) {
        const bool is_time =
            p.name.find("latency") != std::string::npos || p.name.find("gap") != std::string::npos;
        if (p.determined == models::Determined::unknown) {
            rows.push_back({p.name, "unknown", ""});
        } else {
            rows.push_back({p.name, parameter_text(p.value, is_time),
                            parameter_text(p.interval.low, is_time) + " to " +
                                parameter_text(p.interval.high, is_time)});
        }
    }
    table(html, {{"parameter"}, {"value", true}, {"95% interval", true}}, rows);
}

void model_section(Html& html, const Context& context) {
    html.raw(
        "<section id=\"model\"><h2>Model</h2><p>One set of parameters for each network explains all "
        "algorithms and "
        "layouts, as far as it goes. The model proposes, the measurement decides.</p>");
    for (std::size_t i = 0; i < context.data.models.size(); ++i) {
        const NetworkModel& model = context.data.models[i];
        html.element("h3", model.network);
        if (!model.fit) {
            html.element("p", "No model: " + model.problem);
            continue;
        }
        const auto unexplained = model.fit->unexplained.size();
        html.element("p", fmt::format("Typical error {:.0f}%; {} of {} times are not explained at all.",
                                      100 * model.fit->fit.noise, unexplained, model.times.size()));
        html.raw("<div class=\"figures\">");
        for (const NamedFigure& named : context.figures) {
            if (named.kind == FigureKind::model && named.cell == i) {
                figure(html, named, named.draw(), true);
            }
        }
        html.raw("<div class=\"stack\">");
        parameters(html, model);
        Rows rows;
        for (const models::AlgorithmResidual& residual : model.fit->by_algorithm) {
            rows.push_back({std::string(residual.algorithm), std::to_string(residual.observations),
                            fmt::format("{:.0f}%", 100 * residual.median_error),
                            percent_label(std::exp(residual.bias))});
        }
        table(html, {{"algorithm"}, {"times", true}, {"median error", true}, {"measured / predicted", true}},
              rows);
        html.raw("</div></div>");
    }
    for (const char* name : {"model", "model-by-algorithm", "model-errors"}) {
        if (!context.table_named(name).is_empty()) {
            downloads(html, context.table_named(name));
        }
    }
    html.raw("</section>");
}

std::string plain(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

void facts(Html& html, const ReportData& data) {
    Rows rows = {{"cluster", data.cluster.name}};
    for (const auto& [key, value] : data.manifest.environment.items()) {
        rows.push_back({key, plain(value)});
    }
    std::string hosts;
    for (const Host& host : data.cluster.hosts) {
        hosts += (hosts.empty() ? "" : ", ") + host.name;
    }
    rows.push_back({"hosts", hosts});
    for (const Place& place : data.places) {
        if (place.header.is_object()) {
            rows.push_back({"library", plain(place.header.value("library", Json()))});
            rows.push_back({"device", plain(place.header.value("device", Json()))});
            break;
        }
    }
    rows.push_back({"run directory", data.folder});
    rows.push_back({"started", data.manifest.created});
    rows.push_back({"command line", to_shell({data.manifest.command_line, {}})});
    rows.push_back(
        {"plan", fmt::format("{}: medians within {:.0f}%, changeovers within a factor of {}", data.plan.name,
                             100 * data.plan.precision, data.plan.changeover_factor)});
    rows.push_back({"cost", fmt::format("{} of calls for {} cases with {} repetitions",
                                        seconds_text(data.benchmark_seconds), data.cases, data.samples)});
    table(html, {{"what"}, {"value"}}, rows);
}

void how_measured(Html& html, const Context& context) {
    const ReportData& data = context.data;
    html.raw("<section id=\"how\"><h2>How it was measured</h2>");
    facts(html, data);
    Rows rows;
    for (const Place& place : data.places) {
        const auto header = [&](const char* key) {
            return place.header.is_object() ? plain(place.header.value(key, Json())) : "";
        };
        const std::size_t all = place.samples + place.invalid;
        rows.push_back({place.network, to_string(place.layout), std::to_string(place.jobs),
                        std::to_string(place.samples),
                        all == 0 ? ""
                                 : fmt::format("{:.2g}%", 100 * static_cast<double>(place.invalid) /
                                                              static_cast<double>(all)),
                        header("clock"), place.jobs == 0 ? "" : fmt::format("{:.3g} us", place.sync_error_us),
                        header("start"),
                        place.tcp_time_outs ? std::to_string(*place.tcp_time_outs) : "not counted"});
    }
    table(html,
          {{"network"},
           {"layout"},
           {"jobs", true},
           {"repetitions", true},
           {"invalid", true},
           {"clock"},
           {"clock error", true},
           {"start"},
           {"TCP time-outs", true}},
          rows);
    downloads(html, context.table_named("measured"));
    html.raw("<details>");
    html.element("summary", "Command lines of the jobs");
    std::string lines;
    for (const Place& place : data.places) {
        lines += fmt::format("# {} {}\n{}\n", place.network, to_string(place.layout), place.command_line);
    }
    html.element("pre", lines);
    html.raw("</details>");
    if (!data.doubtful.empty()) {
        html.element("h3", "Less precise than the plan wants");
        Rows doubtful;
        for (const Doubtful& d : data.doubtful) {
            doubtful.push_back({collective_label(d.cell), d.cell.network, to_string(d.cell.layout),
                                fmt::format("{} of {}", d.cases, d.of),
                                fmt::format("{:.0f}%", 100 * d.worst_precision), d.setting});
        }
        table(html,
              {{"collective"},
               {"network"},
               {"layout"},
               {"cases", true},
               {"worst half interval", true},
               {"raise in the plan"}},
              doubtful);
        downloads(html, context.table_named("doubtful"));
    }
    if (!data.coarse.empty()) {
        html.raw("<details>");
        html.element(
            "summary",
            fmt::format("Changeovers that are known less well than the plan wants ({}); raise the budget",
                        data.coarse.size()));
        html.raw("<ul>");
        for (const std::string& text : data.coarse) {
            html.element("li", text);
        }
        html.raw("</ul></details>");
    }
    html.raw("</section>");
}

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
constexpr Section sections[] = {
    {"answer", "answer", answer},      {"gains", "gains", gains},
    {"curves", "curves", curves},      {"distributions", "distributions", distributions},
    {"model", "model", model_section}, {"how", "how it was measured", how_measured},
};

}  // namespace

std::string html_page(const ReportData& data) {
    const Context context{data, tables_of(data), figures_of(data)};
    // Whoever wrote a host name into a run cannot know it, so nothing of theirs can run even if it were not
    // escaped.
    const std::string nonce = new_token();
    Html html;
    html.raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.raw(fmt::format(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{0}'; "
        "style-src 'nonce-{0}'; img-src data:; base-uri 'none'; form-action 'none'\">",
        nonce));
    html.raw(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        "<meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\">");
    html.element("title", "changeover: " + data.cluster.name);
    html.raw(
        fmt::format("<style nonce=\"{}\">{}{}@media screen and (prefers-color-scheme:dark){{{}}}</style>",
                    nonce, page_style, figure_style_light(), figure_style_dark()));
    html.raw("</head><body><svg class=\"marks\" aria-hidden=\"true\">" + marker_definitions() +
             "</svg><header>");
    html.element("h1", data.cluster.name);
    html.element("p",
                 fmt::format("MPI collectives measured on {} with {}; changeover {}",
                             data.manifest.created.substr(0, 10), data.cluster.library, program_version));
    html.raw("<nav>");
    for (const Section& section : sections) {
        html.raw(fmt::format("<a href=\"#{}\">{}</a> ", section.id, section.title));
    }
    html.raw("</nav></header><main>");
    for (const Section& section : sections) {
        section.write(html, context);
    }
    html.raw("</main><div id=\"tip\" role=\"status\" hidden></div>");
    html.raw(fmt::format("<script type=\"application/json\" id=\"data\">{}</script>",
                         data_for_script(context.tables)));
    html.raw(fmt::format("<script nonce=\"{}\">{}</script></body></html>\n", nonce, page_script));
    return std::move(html.markup);
}

}  // namespace tuner::report

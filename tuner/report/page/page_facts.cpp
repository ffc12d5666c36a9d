// SPDX-License-Identifier: MIT
// The sections at the end: distributions, the model, how it was measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html.hpp"
#include "units.hpp"

namespace tuner::report {

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
        if (named.kind == FigureKind::distribution || named.kind == FigureKind::finishes) {
            figure(html, named, named.draw(), true);
        }
    }
    html.raw("</div>");
    if (data.distributions.empty()) {
        html.element("p", "No case has enough repetitions.");
    } else {
        downloads(html, context.table_named("distributions"));
        downloads(html, context.table_named("finishes"));
    }
    html.raw("<p>The repetitions of all cases are in ");
    html.element("code", "samples.jsonl");
    html.raw(" of the run directory.</p></section>");
}

namespace {

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

}  // namespace

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

namespace {

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

}  // namespace

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

}  // namespace tuner::report

// SPDX-License-Identifier: MIT
// The last section: where and how it was measured, and what is less precise than it should be.
#include <fmt/format.h>

#include "at_once.hpp"
#include "html.hpp"
#include "units.hpp"

namespace tuner::report {

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
    for (const AtOnce& part : data.cluster.at_once) {
        rows.push_back({"communicators that called at once", to_string(part)});
    }
    rows.push_back({"run directory", data.folder});
    rows.push_back({"started", data.manifest.created});
    for (const NetworkChange& change : data.network_changes) {
        rows.push_back({"measured again", to_string(change)});
    }
    rows.push_back({"command line", to_shell({data.manifest.command_line, {}})});
    rows.push_back(
        {"plan", fmt::format("{}: medians within {:.0f}%, changeover points within a factor of {}",
                             data.plan.name, 100 * data.plan.precision, data.plan.changeover_factor)});
    rows.push_back({"cost", fmt::format("{} in measured calls: {} cases with {} repetitions",
                                        seconds_text(data.benchmark_seconds), data.cases, data.samples)});
    table(html, {{"what"}, {"value"}}, rows);
}

void jobs(Html& html, const Context& context) {
    Rows rows;
    for (const Place& place : context.data.places) {
        const auto header = [&](const char* key) {
            return place.header.is_object() ? plain(place.header.value(key, Json())) : "";
        };
        const auto all = static_cast<double>(place.samples + place.invalid);
        rows.push_back(
            {place.network, to_string(place.layout), std::to_string(place.jobs),
             std::to_string(place.samples),
             all == 0 ? "" : fmt::format("{:.2g}%", 100 * static_cast<double>(place.invalid) / all),
             header("clock"), place.jobs == 0 ? "" : fmt::format("{:.3g} us", place.sync_error_us),
             header("start"), place.tcp_time_outs ? std::to_string(*place.tcp_time_outs) : "not counted"});
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
}

void command_lines(Html& html, const ReportData& data) {
    std::string lines;
    for (const Place& place : data.places) {
        lines += fmt::format("# {} {}\n{}\n", place.network, to_string(place.layout), place.command_line);
    }
    html.raw("<details>");
    html.element("summary", "Command lines of the jobs");
    html.element("pre", lines);
    html.raw("</details>");
}

void imprecise_cases(Html& html, const Context& context) {
    if (context.data.doubtful.empty()) {
        return;
    }
    html.element("h3", "Less precise than the plan requires");
    Rows rows;
    for (const Doubtful& d : context.data.doubtful) {
        rows.push_back({collective_label(d.cell), d.cell.network, to_string(d.cell.layout),
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
          rows);
    downloads(html, context.table_named("doubtful"));
}

}  // namespace

void how_measured(Html& html, const Context& context) {
    open_section(html, "how", "How it was measured");
    facts(html, context.data);
    jobs(html, context);
    command_lines(html, context.data);
    imprecise_cases(html, context);
    folded_list(html, "Changeover points that are less precise than the plan requires (raise --budget)",
                context.data.coarse);
    close_section(html);
}

}  // namespace tuner::report

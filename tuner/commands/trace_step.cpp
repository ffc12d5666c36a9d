// SPDX-License-Identifier: MIT
#include "trace_step.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <fstream>

#include "chrome.hpp"
#include "error.hpp"
#include "trace_figures.hpp"
#include "files.hpp"
#include "trace_page.hpp"

namespace tuner::trace {

namespace {

void write(const std::string& file, const std::string& text) {
    if (file.empty()) {
        fmt::print("{}", text);
    } else {
        write_file_atomically(file, text);
    }
}

std::string dumped(const Json& json) {
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

report::Figure drawn(const TraceOptions& options, const LoadedTrace& loaded,
                     const std::vector<const Kind*>& kinds,
                     const std::optional<TraceComparison>& comparison) {
    if (options.figure == "timemap") {
        return comparison ? draw_timemap(same_calls(*comparison).front()) : draw_timemap(*kinds.front());
    }
    return options.figure == "messages" ? draw_messages(loaded, *kinds.front()) : draw_waits(*kinds.front());
}

void write_chrome_file(const std::string& file, const Matched& matched) {
    std::ofstream out(file);
    const std::size_t events = write_chrome(matched, out);
    out.close();
    if (!out) {
        throw failure(file + " could not be written; is the disk full, or the folder missing?");
    }
    fmt::print(stderr, "{} in {}; open it with ui.perfetto.dev\n", counted(events, "event"), file);
}

}  // namespace

void print_trace(const TraceOptions& options) {
    const bool are_two_traces = options.compared.size() == 2 && options.prefix.empty();
    if (options.prefix.empty() && !are_two_traces) {
        throw wrong_use("which trace? name what MPIR_CVAR_COLL_EVENTS_FILE was set to");
    }
    const LoadedTrace loaded(are_two_traces ? options.compared[0] : options.prefix);
    std::unique_ptr<LoadedTrace> other;
    std::optional<TraceComparison> comparison;
    if (are_two_traces) {
        other = std::make_unique<LoadedTrace>(options.compared[1]);
        comparison = compare_traces(loaded, *other);
    } else if (options.compared.size() == 2) {
        comparison = compare_algorithms(loaded.analysis, options.compared[0], options.compared[1]);
    }
    if (!options.chrome.empty()) {
        write_chrome_file(options.chrome, loaded.matched);
    }
    Json json = {{"trace", to_json(loaded)}};
    std::string of_run_text;
    if (comparison) {
        json["comparison"] = to_json(*comparison);
    }
    std::optional<OfRun> of_run;
    if (!options.run.empty()) {
        of_run.emplace(loaded, options.run, options.network);
        json["gains"] = to_json(of_run->gains);
        of_run_text = "\nwhat the rules of " + options.run + " would gain\n" +
                      to_text(of_run->gains, loaded.analysis.program_seconds);
        if (of_run->against) {
            json["against_model"] = to_json(*of_run->against);
            of_run_text +=
                "\nmessages against the model of " + of_run->network + "\n" + to_text(*of_run->against);
        }
    }
    if (!options.html.empty()) {
        write_file_atomically(options.html,
                              html_page({loaded, chosen_kinds(loaded, options.only), std::move(of_run)},
                                        comparison ? same_calls(*comparison) : same_calls({&loaded})));
    }
    if (!options.figure.empty()) {
        const auto kinds = chosen_kinds(loaded, options.only);
        write(options.file, report::svg_file(drawn(options, loaded, kinds, comparison)));
    } else if (options.format == "json") {
        write(options.file, dumped(json));
    } else if (comparison) {
        write(options.file, to_text(*comparison));
    } else {
        std::string text = overview_text(loaded) + "\n" + findings_text(loaded);
        if (options.only.empty()) {
            text = to_text(loaded);
        } else {
            for (const Kind* kind : chosen_kinds(loaded, options.only)) {
                text += "\n" + kind_text(*kind);
            }
        }
        write(options.file, text + of_run_text);
    }
}

}  // namespace tuner::trace

// SPDX-License-Identifier: MIT
// What the event collectors of the library recorded: as text, JSON, figures, a page, or for Perfetto.
#include <cstdio>
#include <fstream>

#include "chrome.hpp"
#include "command.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "files.hpp"
#include "number_text.hpp"
#include "output.hpp"
#include "recorded_arrivals.hpp"
#include "replay_program.hpp"
#include "trace_figures.hpp"
#include "trace_page.hpp"
#include "trace_text.hpp"

namespace tuner::commands {

namespace {

using namespace trace;

struct TraceOptions {
    std::string prefix;
    std::string only;                   // kinds of calls whose name has this text
    std::vector<std::string> compared;  // two algorithms of the trace, or two traces (then without `prefix`)
    std::string run;                    // folder of a run: its model and rules
    std::string network;                // of the run; empty: the only one
    std::string rules;                  // config.json of another run, in place of its rules
    std::string format = "text";
    std::string figure;  // timemap, messages or waits
    std::string file;    // of the figure, or the text; empty: standard output
    std::string html;
    std::string chrome;
    std::string replay;
    std::string arrivals;
};

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
    print_note("{} in {}; open it with ui.perfetto.dev\n", counted(events, "event"), file);
}

// The trace, or the first of two, with what it is compared with
struct Loaded {
    std::unique_ptr<LoadedTrace> trace;
    std::unique_ptr<LoadedTrace> other;
    std::optional<TraceComparison> comparison;
};

Loaded loaded_from(const TraceOptions& options) {
    const bool are_two_traces = options.compared.size() == 2 && options.prefix.empty();
    if (options.prefix.empty() && !are_two_traces) {
        throw usage_error("no trace is named; name the value of MPIR_CVAR_COLL_EVENTS_FILE");
    }
    Loaded loaded;
    loaded.trace = std::make_unique<LoadedTrace>(are_two_traces ? options.compared[0] : options.prefix);
    if (are_two_traces) {
        loaded.other = std::make_unique<LoadedTrace>(options.compared[1]);
        loaded.comparison = compare_traces(*loaded.trace, *loaded.other);
    } else if (options.compared.size() == 2) {
        loaded.comparison =
            compare_algorithms(loaded.trace->analysis, options.compared[0], options.compared[1]);
    }
    return loaded;
}

Json json_of(const Loaded& loaded, const std::optional<OfRun>& of_run) {
    Json json = {{"trace", to_json(*loaded.trace)}};
    if (loaded.comparison) {
        json["comparison"] = to_json(*loaded.comparison);
    }
    if (of_run) {
        json["gains"] = to_json(of_run->gains);
    }
    if (of_run && of_run->against) {
        json["against_model"] = to_json(*of_run->against);
    }
    return json;
}

std::string text_of_run(const LoadedTrace& loaded, const OfRun& of_run, const std::string& folder) {
    std::string text = "\nwhat the rules of " + folder + " would gain\n" +
                       to_text(of_run.gains, loaded.analysis.program_seconds);
    if (of_run.against) {
        text += "\nmessages against the model of " + of_run.network + "\n" + to_text(*of_run.against);
    }
    return text;
}

std::string text_of(const LoadedTrace& loaded, const std::string& only) {
    if (only.empty()) {
        return to_text(loaded);
    }
    std::string text = overview_text(loaded) + "\n" + findings_text(loaded);
    for (const Kind* kind : chosen_kinds(loaded, only)) {
        text += "\n" + kind_text(loaded.matched, *kind);
    }
    return text;
}

void print_trace(const TraceOptions& options) {
    const Loaded loaded = loaded_from(options);
    const LoadedTrace& trace = *loaded.trace;
    if (!options.chrome.empty()) {
        write_chrome_file(options.chrome, trace.matched);
    }
    if (!options.replay.empty()) {
        write_output(options.replay, replay_program(trace.matched));
        print_note("{} repeats the program: mpiexec -n {} changeover-replay {}\n", options.replay,
                   trace.trace.world_size, shell_quoted(options.replay));
    }
    if (!options.arrivals.empty()) {
        write_output(options.arrivals, recorded_arrivals(trace.matched));
        print_note("{0} has the arrivals of the ranks: changeover-bench COLLECTIVE --arrival-from {0}\n",
                   shell_quoted(options.arrivals));
    }
    std::optional<OfRun> of_run;
    if (!options.run.empty()) {
        of_run.emplace(trace, options.run, options.network, options.rules);
    }
    if (!options.figure.empty()) {
        const auto kinds = chosen_kinds(trace, options.only);
        write_output(options.file, report::svg_file(drawn(options, trace, kinds, loaded.comparison)));
    } else if (options.format == "json") {
        write_output(options.file, dumped(json_of(loaded, of_run)));
    } else if (loaded.comparison) {
        write_output(options.file, to_text(*loaded.comparison));
    } else {
        write_output(options.file,
                     text_of(trace, options.only) + (of_run ? text_of_run(trace, *of_run, options.run) : ""));
    }
    if (!options.html.empty()) {
        write_output(options.html,
                     html_page({trace, chosen_kinds(trace, options.only), std::move(of_run)},
                               loaded.comparison ? same_calls(*loaded.comparison) : same_calls({&trace})));
    }
}

}  // namespace

void define_trace(CLI::App& command, Invocation&) {
    const auto o = std::make_shared<TraceOptions>();
    command.add_option("prefix", o->prefix, "the value of MPIR_CVAR_COLL_EVENTS_FILE");
    command.add_option("--only", o->only,
                       "only calls with this text in their name, such as allgather/ring or 64Ki");
    command.add_option("--compare", o->compared, "two algorithms of the trace; without a prefix, two traces")
        ->expected(2);
    command.add_option("--run", o->run, "run whose model and rules the calls are compared with");
    command.add_option("--network", o->network, "network of that run, if there are several");
    command
        .add_option("--rules", o->rules,
                    "config.json of another run, whose rules take the place of that run's own")
        ->needs("--run");
    add_format_option(command, o->format);
    command.add_option("--figure", o->figure, "write a figure as SVG: timemap, messages (one call) or waits")
        ->check(CLI::IsMember({"timemap", "messages", "waits"}));
    command.add_option("-o,--output", o->file, "file to write (default: standard output)");
    command.add_option("--html", o->html, "also write a page with all figures");
    command.add_option("--chrome", o->chrome, "also write Chrome's trace-event format, for Perfetto");
    command.add_option("--replay", o->replay, "also write the program's calls, for changeover-replay");
    command.add_option("--arrivals", o->arrivals,
                       "also write how its ranks arrive at calls, for changeover-bench --arrival-from");
    command.callback([o] { print_trace(*o); });
}

}  // namespace tuner::commands

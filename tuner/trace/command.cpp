// SPDX-License-Identifier: MIT
#include "command.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <fstream>

#include "against_model.hpp"
#include "chrome.hpp"
#include "comparison.hpp"
#include "error.hpp"
#include "figures.hpp"
#include "files.hpp"
#include "page.hpp"
#include "profile.hpp"

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

std::vector<const Kind*> chosen_kinds(const Analysis& analysis, const std::string& only) {
    std::vector<const Kind*> kinds;
    std::string names;
    for (const Kind& kind : analysis.kinds) {
        const std::string name = to_string(kind.key);
        names += "\n  " + name;
        if (name.find(only) != name.npos) {
            kinds.push_back(&kind);
        }
    }
    if (kinds.empty()) {
        throw wrong_use(names.empty()
                            ? "the trace has no complete call; what is missing is said without this option"
                            : "no call has '" + only + "' in its name; there are:" + names);
    }
    return kinds;
}

report::Figure drawn(const TraceOptions& options, const LoadedTrace& loaded,
                     const std::vector<const Kind*>& kinds,
                     const std::optional<TraceComparison>& comparison) {
    if (options.figure == "timemap") {
        return comparison ? draw_timemap({comparison->pairs.front().a, comparison->pairs.front().b})
                          : draw_timemap(*kinds.front());
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
    std::vector<PageSection> more;
    if (comparison) {
        json["comparison"] = to_json(*comparison);
        more.push_back({"comparison", to_text(*comparison)});
    }
    if (!options.run.empty()) {
        KnownRun run(options.run, options.network);
        const Gains gains = gains_of(loaded.analysis, run);
        json["gains"] = to_json(gains);
        more.push_back({"what the rules of " + options.run + " would gain",
                        to_text(gains, loaded.analysis.program_seconds)});
        if (run.prediction) {
            const AgainstModel against = against_model(loaded.matched, run.prediction->parameters());
            json["against_model"] = to_json(against);
            more.push_back({"messages against the model of " + run.network, to_text(against)});
        }
    }
    if (!options.html.empty()) {
        write_file_atomically(options.html,
                              html_page(loaded, chosen_kinds(loaded.analysis, options.only), more));
    }
    if (!options.figure.empty()) {
        const auto kinds = chosen_kinds(loaded.analysis, options.only);
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
            for (const Kind* kind : chosen_kinds(loaded.analysis, options.only)) {
                text += "\n" + kind_text(*kind);
            }
        }
        for (const PageSection& section : more) {
            text += "\n" + section.title + "\n" + section.text;
        }
        write(options.file, text);
    }
}

}  // namespace tuner::trace

// SPDX-License-Identifier: MIT
#include "trace_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <sstream>

#include "command_lines.hpp"
#include "error.hpp"
#include "html.hpp"
#include "machine.hpp"
#include "number_text.hpp"
#include "process.hpp"
#include "trace_figures.hpp"
#include "trace_text.hpp"
#include "units.hpp"

namespace tuner::trace {

namespace {

using report::Html;

// So that a report stays small, whatever it is given
constexpr std::size_t most_figured = 4;     // kinds with figures, of all traces
constexpr std::size_t most_compared = 4;    // calls that were done in several ways
constexpr std::size_t most_arrivals = 16;   // ranks
constexpr std::size_t most_gain_rows = 20;  // kinds
constexpr std::size_t longest_term = 20;    // letters

// Lines of text as a list; what stands before a colon is what the line is about
void list(Html& html, const std::string& text) {
    html.raw("<ul>");
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        line.erase(0, line.find_first_not_of(' '));
        html.raw("<li>");
        if (const auto colon = line.find(": "); colon <= longest_term) {
            html.element("b", line.substr(0, colon + 1));
            line.erase(0, colon + 1);
        }
        html.text(line);
        html.raw("</li>");
    }
    html.raw("</ul>");
}

std::string capitalized(std::string text) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

// Parts with headings: on a page of its own of the second level, in a report further down
class Parts {
  public:
    Parts(Html& html, int level, std::string id) : html_(html), level_(level), id_(std::move(id)) {}

    void all_of(const ShownTrace& trace, std::size_t figured, const std::vector<SameCall>& compared_calls) {
        findings(trace);
        calls(trace);
        compared(compared_calls);
        kinds(trace, figured);
        if (trace.of_run) {
            gains(trace, *trace.of_run);
        }
        arrivals(trace.loaded);
        heading("read", "the trace files");
        list(html_, overview_text(trace.loaded));
    }

    void compared(const std::vector<SameCall>& all) {
        if (all.empty()) {
            return;
        }
        heading("compared", "algorithms compared");
        html_.element("p",
                      "Calls of the same collective, size and ranks. Costs are of a rank, mean of the middle "
                      "half of the calls.");
        for (std::size_t i = 0; i < std::min(all.size(), most_compared); ++i) {
            const SameCall& call = all[i];
            sub_heading(title_of(call));
            list(html_, explanation_of(call));
            html_.raw("<div class=\"figures\">");
            figure("compared", i, draw_timemap(call));
            html_.raw("<div>");
            report::table(html_, table_of(call));
            html_.raw("</div></div>");
        }
        left_out(all.size(), most_compared, "calls that are compared",
                 changeover_command({"trace"}) + " TRACE --compare ALGORITHM_A ALGORITHM_B");
    }

    std::string links;  // to the parts

  private:
    void heading(const std::string& name, const std::string& title) {
        const std::string id = id_ + name;
        links += report::link_to(id, title);
        html_.element(fmt::format("h{}", level_), capitalized(title), fmt::format("id=\"{}\"", id));
    }
    void sub_heading(const std::string& title) { html_.element(fmt::format("h{}", level_ + 1), title); }

    void figure(const char* name, std::size_t i, const report::Figure& drawn) {
        report::figure(html_, fmt::format("{}{}-{}", id_, name, i + 1), drawn, true);
    }

    void left_out(std::size_t all, std::size_t shown, const char* what, const std::string& command) {
        if (all > shown) {
            html_.raw("<p>");
            html_.text(
                fmt::format("These are the {} of {} {} with the most time. For others: ", shown, all, what));
            html_.element("code", command);
            html_.raw("</p>");
        }
    }

    void findings(const ShownTrace& trace) {
        heading("says", "findings");
        list(html_, findings_text(trace.loaded));
    }

    void calls(const ShownTrace& trace) {
        heading("calls", "calls");
        html_.element(
            "p",
            "Time of all ranks and calls, by cost. Network: both ends of a message are posted. Late: "
            "waiting for a rank that has not entered the call. Wait: waiting for a rank that has "
            "entered, but is behind. Software: the rest.");
        report::table(html_, kinds_table(trace.loaded.analysis));
        if (const std::string left = kinds_left_out(trace.loaded.analysis); !left.empty()) {
            html_.element("p", left);
        }
    }

    void kinds(const ShownTrace& trace, std::size_t figured) {
        heading("kinds", "stages, messages and waits");
        for (std::size_t i = 0; i < std::min(trace.kinds.size(), figured); ++i) {
            const Kind& kind = *trace.kinds[i];
            sub_heading(fmt::format("{}: {}", to_string(kind.key), counted(kind.calls.size(), "call")));
            const Matched& matched = trace.loaded.matched;
            list(html_, kind_summary(matched, kind) + classes_text(matched, kind));
            html_.raw("<div class=\"figures\">");
            figure("timemap", i, draw_timemap(kind));
            figure("waits", i, draw_waits(kind));
            html_.raw("</div>");
            figure("messages", i, draw_messages(trace.loaded, kind));
            html_.raw("<details>");
            html_.element("summary", fmt::format("Its stages ({}), medians", kind.stages.size()));
            report::table(html_, stages_table(kind));
            html_.raw("</details>");
        }
        if (trace.kinds.size() > figured) {
            const std::string next = to_string(trace.kinds[figured]->key);
            left_out(trace.kinds.size(), figured, "kinds of calls",
                     changeover_command({"trace", absolute_path(trace.loaded.trace.prefix), "--only", next,
                                         "--html", report::slug(next) + ".html"}));
        }
    }

    void gains(const ShownTrace& trace, const OfRun& run) {
        heading("gains", "expected gain of the rules of the run");
        const Gains& of = run.gains;
        report::Rows rows;
        for (std::size_t i = 0; i < std::min(of.kinds.size(), most_gain_rows); ++i) {
            const KindGain& gain = of.kinds[i];
            rows.push_back(
                {to_string(gain.kind->key), gain.tuned.empty() ? "-" : gain.tuned, gain.basis,
                 std::to_string(gain.kind->calls.size()), time_text(gain.seconds),
                 gain.gain_seconds == 0 ? "-" : percent_text(gain.gain_seconds / gain.of_seconds)});
        }
        html_.element("p", capitalized(summary_of(of, trace.loaded.analysis.program_seconds)) +
                               ". Calls are timed from the last arrival on, since no algorithm makes a late "
                               "rank arrive earlier. Gains from measured times include the arrivals, as "
                               "the benchmark does, up to the time that the benchmark measured.");
        report::table(
            html_, {{"call"}, {"tuned"}, {"basis"}, {"number", true}, {"time", true}, {"gain", true}}, rows);
        left_out(of.kinds.size(), most_gain_rows, "kinds of calls",
                 changeover_command({"trace", absolute_path(trace.loaded.trace.prefix), "--run",
                                     absolute_path(run.folder), "--network", run.network}));
        if (run.against) {
            heading("model", "messages against the model of " + run.network);
            html_.element("p",
                          "Medians of measured and predicted times of messages. Where an assumption fails, "
                          "predicted times of other sizes and layouts are wrong in the same way.");
            list(html_, assumptions_text(*run.against));
            report::table(html_, table_of(*run.against));
        }
    }

    void arrivals(const LoadedTrace& loaded) {
        heading("arrivals", "last arrivals");
        std::vector<const RankArrivals*> ranks;
        for (const RankArrivals& rank : loaded.analysis.arrivals) {
            ranks.push_back(&rank);
        }
        std::stable_sort(ranks.begin(), ranks.end(), [](const RankArrivals* a, const RankArrivals* b) {
            return a->caused_seconds > b->caused_seconds;
        });
        report::Rows rows;
        for (std::size_t i = 0; i < std::min(ranks.size(), most_arrivals); ++i) {
            const RankArrivals& rank = *ranks[i];
            rows.push_back({std::to_string(rank.rank), loaded.trace.host_of_rank(rank.rank),
                            std::to_string(rank.calls), std::to_string(rank.last),
                            time_text(median_of(rank.behind_seconds)), time_text(rank.caused_seconds)});
        }
        report::table(html_,
                      {{"rank"},
                       {"host"},
                       {"calls", true},
                       {"last in", true},
                       {"behind the median arrival (when last)", true},
                       {"others waited for it", true}},
                      rows);
        left_out(ranks.size(), most_arrivals, "ranks",
                 changeover_command({"trace", absolute_path(loaded.trace.prefix), "--format", "json"}));
    }

    Html& html_;
    int level_;
    std::string id_;
};

}  // namespace

OfRun::OfRun(const LoadedTrace& loaded, const std::string& run_folder, const std::string& network_name,
             const std::string& rules)
    : folder(run_folder) {
    KnownRun run(folder, network_name, rules);
    network = run.network;
    gains = gains_of(loaded.analysis, run);
    if (run.prediction) {
        against = against_model(loaded.matched, run.prediction->parameters());
    }
}

std::vector<const Kind*> chosen_kinds(const LoadedTrace& loaded, const std::string& only) {
    std::vector<const Kind*> kinds;
    std::string names;
    for (const Kind& kind : loaded.analysis.kinds) {
        const std::string name = to_string(kind.key);
        names += "\n  " + name;
        if (name.find(only) != name.npos) {
            kinds.push_back(&kind);
        }
    }
    if (names.empty()) {
        throw failure(fmt::format("the trace {} has no complete call; to see what is missing: {}",
                                  loaded.trace.prefix, changeover_command({"trace", loaded.trace.prefix})));
    }
    if (kinds.empty()) {
        throw usage_error("no call has '" + only + "' in its name; there are:" + names);
    }
    return kinds;
}

std::string html_page(const ShownTrace& trace, const std::vector<SameCall>& compared) {
    Html body;
    Parts parts(body, 2, "");
    parts.all_of(trace, most_figured, compared);
    Html html;
    const std::string nonce = new_token();
    report::open_page(html, "changeover trace: " + trace.loaded.trace.prefix, nonce);
    html.element("h1", trace.loaded.trace.prefix);
    html.element("p", fmt::format("MPI collectives, message by message; changeover {}", program_version));
    html.raw("<nav>" + parts.links + "</nav></header><main><section>" + body.markup + "</section>");
    report::close_page(html, "{}", nonce);
    return std::move(html.markup);
}

report::OtherSection report_section(const std::vector<std::string>& prefixes, const std::string& run,
                                    const std::string& network) {
    std::vector<std::unique_ptr<LoadedTrace>> owned;
    std::vector<const LoadedTrace*> traces;
    for (const std::string& prefix : prefixes) {
        owned.push_back(std::make_unique<LoadedTrace>(prefix));
        traces.push_back(owned.back().get());
        chosen_kinds(*traces.back(), "");
    }
    Html html;
    html.raw("<section id=\"inside\"><h2>Inside the calls</h2>");
    html.element(
        "p", fmt::format("What the library's event collectors recorded in a program or a benchmark ({}): "
                         "who waits for whom, where the time of a call goes, and which messages decide how "
                         "long it takes.",
                         fmt::join(prefixes, ", ")));
    const bool are_several = traces.size() > 1;
    const std::size_t figured = std::max<std::size_t>(1, most_figured / traces.size());
    const std::vector<SameCall> compared = same_calls(traces);
    for (std::size_t i = 0; i < traces.size(); ++i) {
        ShownTrace shown{*traces[i], chosen_kinds(*traces[i], ""), {}};
        if (are_several) {
            html.element("h3", traces[i]->trace.prefix);
        }
        try {
            shown.of_run.emplace(*traces[i], run, network);
        } catch (const Error& error) {
            if (!network.empty()) {
                throw;
            }
            html.element("p", fmt::format("Not compared with the run: {}.", error.what()));
        }
        Parts(html, are_several ? 4 : 3, are_several ? fmt::format("inside-{}-", i + 1) : "inside-")
            .all_of(shown, figured, are_several ? std::vector<SameCall>{} : compared);
    }
    if (are_several) {
        Parts(html, 3, "inside-").compared(compared);
    }
    html.raw("</section>");
    return {"inside", "inside the calls", std::move(html.markup)};
}

}  // namespace tuner::trace

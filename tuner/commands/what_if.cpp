// SPDX-License-Identifier: MIT
// Which network to buy, and how many ranks on a node: the calls of a program on platforms that are simulated.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "commands.hpp"
#include "error.hpp"
#include "files.hpp"
#include "output.hpp"
#include "simulated_prediction.hpp"
#include "trace.hpp"
#include "what_if_page.hpp"

namespace tuner::commands {

namespace {

struct WhatIfOptions {
    std::string prefix;
    std::vector<std::string> platforms;
    std::vector<std::string> layouts;  // empty: that of the program
    std::string format = "text";
    std::string html;
};

bool has_schedule(const std::string& collective) {
    const std::span<const models::Algorithm> all = models::algorithms();
    return std::any_of(all.begin(), all.end(), [&](const models::Algorithm& algorithm) {
        return algorithm.collective == models::modelled_as(collective);
    });
}

// The layout of the program; nothing: it is not regular
std::optional<Layout> add_calls(WhatIf& what_if, const trace::Analysis& analysis) {
    int ranks = 0;
    for (const trace::Kind& kind : analysis.kinds) {
        ranks = std::max(ranks, kind.key.shape.ranks);
    }
    std::optional<Layout> layout;
    std::map<std::pair<std::string, std::size_t>, std::size_t> calls;
    for (const trace::Kind& kind : analysis.kinds) {
        const trace::KindKey& key = kind.key;
        if (key.shape.ranks < ranks || key.is_nonblocking || !has_schedule(key.collective)) {
            what_if.left_out += kind.calls.size();
            continue;
        }
        layout = key.shape.layout;
        calls[{key.collective, key.bytes}] += kind.calls.size();
    }
    if (calls.empty()) {
        throw usage_error("the trace has no blocking call of all ranks that can be simulated");
    }
    for (const auto& [call, number] : calls) {
        what_if.calls.push_back({call.first, call.second, number});
    }
    return layout;
}

WhatIfPlace simulated_on(const std::string& platform, const Layout& layout,
                         const std::vector<WhatIfCall>& calls) {
    std::vector<SimulatedCall> simulated;
    for (const WhatIfCall& call : calls) {
        simulated.push_back({call.collective, call.bytes});
    }
    WhatIfPlace place = {platform, layout};
    auto call = calls.begin();
    for (const std::vector<SimulatedTime>& times : simulated_times(platform, layout, simulated)) {
        const auto number = static_cast<double>((call++)->number);
        const auto chosen = std::find_if(times.begin(), times.end(),
                                         [](const SimulatedTime& time) { return time.is_default; });
        place.tuned.push_back(number * times.front().seconds);
        place.by_default.push_back(number * (chosen == times.end() ? times.front() : *chosen).seconds);
        place.best.push_back(times.front().algorithm);
    }
    return place;
}

void compare_platforms(const WhatIfOptions& o) {
    const trace::LoadedTrace loaded(o.prefix);
    WhatIf what_if;
    const std::optional<Layout> of_program = add_calls(what_if, loaded.analysis);
    std::vector<Layout> layouts;
    for (const std::string& text : o.layouts) {
        layouts.push_back(parse_layout(text));
    }
    if (layouts.empty() && !of_program) {
        throw usage_error("the ranks of the program are not a regular layout; name one with --layout");
    }
    if (layouts.empty()) {
        layouts.push_back(*of_program);
    }
    for (const std::string& platform : o.platforms) {
        for (const Layout& layout : layouts) {
            print_note("Simulating {} calls on {}, {} ...\n", what_if.calls.size(), platform,
                       to_string(layout));
            what_if.places.push_back(simulated_on(platform, layout, what_if.calls));
        }
    }
    print_data("{}", o.format == "json" ? to_json(what_if).dump(1) + "\n" : to_text(what_if));
    if (!o.html.empty()) {
        write_output(o.html, html_page(what_if));
    }
}

}  // namespace

void define_what_if(CLI::App& command, Invocation&) {
    const auto o = std::make_shared<WhatIfOptions>();
    command
        .add_option("trace", o->prefix, "what the program recorded: the value of MPIR_CVAR_COLL_EVENTS_FILE")
        ->required();
    command.add_option("--platform", o->platforms, "comma-separated platform files, see changeover platform")
        ->delimiter(',')
        ->required();
    command
        .add_option("--layout", o->layouts,
                    "comma-separated layouts, such as 64x2,64x4,64x8 (default: the program's)")
        ->delimiter(',');
    add_format_option(command, o->format);
    command.add_option("--html", o->html, "also write a page: totals, where the time goes, ranks on a node");
    command.footer(
        "Each call takes as long as its simulation, times the number of calls. Calls of a larger layout keep "
        "their message "
        "sizes.");
    command.callback([o] { compare_platforms(*o); });
}

}  // namespace tuner::commands

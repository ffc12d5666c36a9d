// SPDX-License-Identifier: MIT
// Which network to buy, and how many ranks on a node: the calls of a program on platforms that are simulated.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "commands.hpp"
#include "error.hpp"
#include "output.hpp"
#include "simulated_prediction.hpp"
#include "text_table.hpp"
#include "trace.hpp"
#include "units.hpp"

namespace tuner::commands {

namespace {

struct WhatIfOptions {
    std::string prefix;
    std::vector<std::string> platforms;
    std::vector<std::string> layouts;  // empty: that of the program
    std::string format = "text";
};

// Calls of the whole program: collective and size, and how many
struct CallMix {
    std::map<std::pair<std::string, std::size_t>, std::size_t> calls;
    std::optional<Layout> layout;
    std::size_t left_out = 0;  // on smaller communicators, nonblocking, or of collectives without schedules
};

bool has_schedule(const std::string& collective) {
    const std::span<const models::Algorithm> all = models::algorithms();
    return std::any_of(all.begin(), all.end(), [&](const models::Algorithm& algorithm) {
        return algorithm.collective == models::modelled_as(collective);
    });
}

CallMix mix_of(const trace::Analysis& analysis) {
    CallMix mix;
    int ranks = 0;
    for (const trace::Kind& kind : analysis.kinds) {
        ranks = std::max(ranks, kind.key.shape.ranks);
    }
    for (const trace::Kind& kind : analysis.kinds) {
        const trace::KindKey& key = kind.key;
        if (key.shape.ranks < ranks || key.is_nonblocking || !has_schedule(key.collective)) {
            mix.left_out += kind.calls.size();
            continue;
        }
        mix.layout = key.shape.layout;
        mix.calls[{key.collective, key.bytes}] += kind.calls.size();
    }
    if (mix.calls.empty()) {
        throw usage_error("the trace has no blocking call of all ranks that can be simulated");
    }
    return mix;
}

// What the calls take on one platform and layout
struct PlatformTimes {
    std::string platform;
    Layout layout;
    std::vector<double> by_default;  // of all calls of a row, in seconds
    std::vector<double> at_best;
    std::vector<std::string> best;  // algorithms

    static double sum(const std::vector<double>& seconds) {
        double total = 0;
        for (const double value : seconds) {
            total += value;
        }
        return total;
    }
};

PlatformTimes times_on(const std::string& platform, const Layout& layout, const CallMix& mix) {
    std::vector<SimulatedCall> calls;
    for (const auto& [call, count] : mix.calls) {
        calls.push_back({call.first, call.second});
    }
    PlatformTimes result = {platform, layout, {}, {}, {}};
    auto count = mix.calls.begin();
    for (const std::vector<SimulatedTime>& times : simulated_times(platform, layout, calls)) {
        const auto number = static_cast<double>((count++)->second);
        const auto chosen = std::find_if(times.begin(), times.end(),
                                         [](const SimulatedTime& time) { return time.is_default; });
        result.at_best.push_back(number * times.front().seconds);
        result.by_default.push_back(number * (chosen == times.end() ? times.front() : *chosen).seconds);
        result.best.push_back(times.front().algorithm);
    }
    return result;
}

std::string name_of(const PlatformTimes& times) {
    return std::filesystem::path(times.platform).stem().string() + " " + to_string(times.layout);
}

std::string to_text(const CallMix& mix, const std::vector<PlatformTimes>& all) {
    std::vector<std::string> heading = {"call", "calls"};
    for (const PlatformTimes& times : all) {
        heading.push_back(name_of(times));
        heading.emplace_back("tuned");
    }
    TextTable table(heading);
    std::size_t row = 0;
    for (const auto& [call, count] : mix.calls) {
        std::vector<std::string> texts = {call.first + " " + bytes_text(call.second), std::to_string(count)};
        for (const PlatformTimes& times : all) {
            texts.push_back(seconds_text(times.by_default[row]));
            texts.push_back(seconds_text(times.at_best[row]));
        }
        table.add(texts);
        ++row;
    }
    std::vector<std::string> totals = {"all", ""};
    for (const PlatformTimes& times : all) {
        totals.push_back(seconds_text(PlatformTimes::sum(times.by_default)));
        totals.push_back(seconds_text(PlatformTimes::sum(times.at_best)));
    }
    table.add(totals);
    std::string text =
        "SIMULATED: time of the program's collective calls, all ranks arriving together; by MPICH's default, "
        "and with the "
        "best algorithm of each call (tuned)\n";
    text += table.text();
    if (mix.left_out > 0) {
        text +=
            fmt::format("{} calls are left out: on some of the ranks, nonblocking, or without a schedule\n",
                        mix.left_out);
    }
    const auto [fastest, slowest] =
        std::minmax_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
            return PlatformTimes::sum(a.at_best) < PlatformTimes::sum(b.at_best);
        });
    if (all.size() > 1) {
        text += fmt::format(
            "{} is the fastest: {:.3g} times as fast as {} when both are tuned\n", name_of(*fastest),
            PlatformTimes::sum(slowest->at_best) / PlatformTimes::sum(fastest->at_best), name_of(*slowest));
    }
    return text;
}

Json to_json(const CallMix& mix, const std::vector<PlatformTimes>& all) {
    Json json = {{"simulated", true}, {"left_out", mix.left_out}, {"platforms", Json::array()}};
    for (const PlatformTimes& times : all) {
        Json calls = Json::array();
        std::size_t row = 0;
        for (const auto& [call, count] : mix.calls) {
            calls.push_back({{"collective", call.first},
                             {"bytes", call.second},
                             {"calls", count},
                             {"seconds", times.by_default[row]},
                             {"tuned_seconds", times.at_best[row]},
                             {"best", times.best[row]}});
            ++row;
        }
        json["platforms"].push_back({{"platform", times.platform},
                                     {"layout", to_string(times.layout)},
                                     {"seconds", PlatformTimes::sum(times.by_default)},
                                     {"tuned_seconds", PlatformTimes::sum(times.at_best)},
                                     {"calls", std::move(calls)}});
    }
    return json;
}

void compare_platforms(const WhatIfOptions& o) {
    const trace::LoadedTrace loaded(o.prefix);
    const CallMix mix = mix_of(loaded.analysis);
    std::vector<Layout> layouts;
    for (const std::string& text : o.layouts) {
        layouts.push_back(parse_layout(text));
    }
    if (layouts.empty() && !mix.layout) {
        throw usage_error("the ranks of the program are not a regular layout; name one with --layout");
    }
    if (layouts.empty()) {
        layouts.push_back(*mix.layout);
    }
    std::vector<PlatformTimes> all;
    for (const std::string& platform : o.platforms) {
        for (const Layout& layout : layouts) {
            print_note("Simulating {} calls on {}, {} ...\n", mix.calls.size(), platform, to_string(layout));
            all.push_back(times_on(platform, layout, mix));
        }
    }
    print_data("{}", o.format == "json" ? to_json(mix, all).dump(1) + "\n" : to_text(mix, all));
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
    command.footer(
        "Each call takes as long as its simulation, times the number of calls. Calls of a larger layout keep "
        "their message "
        "sizes.");
    command.callback([o] { compare_platforms(*o); });
}

}  // namespace tuner::commands

// SPDX-License-Identifier: MIT
#include "what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "text_table.hpp"
#include "units.hpp"

namespace tuner {

std::string WhatIfPlace::name() const {
    return std::filesystem::path(platform).stem().string() + " " + to_string(layout);
}

double sum_of(const std::vector<double>& seconds) {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

std::string answer_of(const WhatIf& what_if) {
    if (what_if.places.size() < 2) {
        return "";
    }
    const auto [fastest, slowest] =
        std::minmax_element(what_if.places.begin(), what_if.places.end(),
                            [](const auto& a, const auto& b) { return sum_of(a.tuned) < sum_of(b.tuned); });
    return fmt::format("{} is the fastest: {:.3g} times as fast as {} when both are tuned", fastest->name(),
                       sum_of(slowest->tuned) / sum_of(fastest->tuned), slowest->name());
}

std::string left_out_text(const WhatIf& what_if) {
    return what_if.left_out == 0
               ? ""
               : fmt::format(
                     "{} calls are left out: on some of the ranks, nonblocking, or without a schedule",
                     what_if.left_out);
}

std::string to_text(const WhatIf& what_if) {
    std::vector<std::string> heading = {"call", "calls"};
    std::vector<std::string> totals = {"all", ""};
    for (const WhatIfPlace& place : what_if.places) {
        heading.insert(heading.end(), {place.name(), "tuned"});
        totals.insert(totals.end(),
                      {seconds_text(sum_of(place.by_default)), seconds_text(sum_of(place.tuned))});
    }
    TextTable table(heading);
    for (std::size_t i = 0; i < what_if.calls.size(); ++i) {
        const WhatIfCall& call = what_if.calls[i];
        std::vector<std::string> row = {call.collective + " " + bytes_text(call.bytes),
                                        std::to_string(call.number)};
        for (const WhatIfPlace& place : what_if.places) {
            row.insert(row.end(), {seconds_text(place.by_default[i]), seconds_text(place.tuned[i])});
        }
        table.add(row);
    }
    table.add(totals);
    std::string text =
        "SIMULATED: time of the program's collective calls, all ranks arriving together; by MPICH's default, "
        "and with the best algorithm of each call (tuned)\n" +
        table.text();
    for (const std::string& line : {left_out_text(what_if), answer_of(what_if)}) {
        text += line.empty() ? "" : line + "\n";
    }
    return text;
}

Json to_json(const WhatIf& what_if) {
    Json json = {{"simulated", true}, {"left_out", what_if.left_out}, {"platforms", Json::array()}};
    for (const WhatIfPlace& place : what_if.places) {
        Json calls = Json::array();
        for (std::size_t i = 0; i < what_if.calls.size(); ++i) {
            const WhatIfCall& call = what_if.calls[i];
            calls.push_back({{"collective", call.collective},
                             {"bytes", call.bytes},
                             {"calls", call.number},
                             {"seconds", place.by_default[i]},
                             {"tuned_seconds", place.tuned[i]},
                             {"best", place.best[i]}});
        }
        json["platforms"].push_back({{"platform", place.platform},
                                     {"layout", to_string(place.layout)},
                                     {"seconds", sum_of(place.by_default)},
                                     {"tuned_seconds", sum_of(place.tuned)},
                                     {"calls", std::move(calls)}});
    }
    return json;
}

}  // namespace tuner

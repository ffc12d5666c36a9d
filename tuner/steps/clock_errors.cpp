// SPDX-License-Identifier: MIT
#include "clock_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "units.hpp"
#include "verify.hpp"

namespace tuner::commands {

namespace {

using Place = std::pair<std::string, Layout>;

// The smallest of all jobs of a place, in seconds: a job that knew the time better has measured, too
std::map<Place, double> clock_errors(const RunData& data) {
    constexpr double microsecond = 1e-6;
    std::map<std::string, Place> jobs;  // by token
    std::map<Place, double> errors;
    for (const Json& event : data.events) {
        const std::string name = event.at("event");
        const std::string token = event.value("token", "");
        if (name == "job_started") {
            jobs[token] = {event.at("network"), layout_from(event)};
        } else if (name == "job_header" && jobs.contains(token)) {
            const Json error = event.at("header").value("sync_error_us", Json());
            if (error.is_number()) {
                const auto [found, is_new] = errors.emplace(jobs[token], microsecond * error.get<double>());
                found->second = std::min(found->second, microsecond * error.get<double>());
            }
        }
    }
    return errors;
}

double shortest(const Times& times) {
    double seconds = std::numeric_limits<double>::infinity();
    for (const auto& [algorithm, time] : times) {
        seconds = std::min(seconds, time.time.median_seconds);
    }
    return seconds;
}

}  // namespace

std::string coarse_clocks_note(const RunData& data, const Cells& cells) {
    constexpr double tolerated = 0.5;  // of a call
    const std::map<Place, double> errors = clock_errors(data);
    std::size_t sizes = 0;
    std::size_t unsure = 0;
    double largest = 0;
    for (const auto& [key, cell] : cells) {
        const auto error = errors.find({key.network, key.layout});
        for (const auto& [bytes, times] : cell.times) {
            ++sizes;
            if (error != errors.end() && error->second > tolerated * shortest(times)) {
                ++unsure;
                largest = std::max(largest, error->second);
            }
        }
    }
    return 2 * unsure > sizes ? fmt::format("{} of {} sizes: clocks agree only within {}: {}", unsure, sizes,
                                            seconds_text(largest), coarse_clocks)
                              : "";
}

}  // namespace tuner::commands

// SPDX-License-Identifier: MIT
// What was measured on each network and layout, by which jobs.
#include <algorithm>
#include <map>

#include "report_parts.hpp"

namespace tuner::report {

Place& place_of(ReportData& data, const std::string& network, const Layout& layout) {
    const auto found = std::find_if(data.places.begin(), data.places.end(), [&](const Place& place) {
        return place.network == network && place.layout == layout;
    });
    if (found != data.places.end()) {
        return *found;
    }
    Place place;
    place.network = network;
    place.layout = layout;
    data.places.push_back(std::move(place));
    return data.places.back();
}

namespace {

void add_header(Place& place, const Json& header) {
    ++place.jobs;
    place.header = place.header.is_null() ? header : place.header;
    const Json& error = header.value("sync_error_us", Json());
    place.sync_error_us = std::max(place.sync_error_us, error.is_number() ? error.get<double>() : 0);
}

void add_jobs(ReportData& data, const RunData& run) {
    std::map<std::string, std::pair<std::string, Layout>> jobs;  // by token
    for (const Json& event : run.events) {
        const std::string name = event.at("event");
        const std::string token = event.value("token", "");
        if (name == "job_started") {
            jobs[token] = {event.at("network"), layout_from(event)};
        } else if (jobs.contains(token)) {
            Place& place = place_of(data, jobs[token].first, jobs[token].second);
            if (name == "job_header") {
                add_header(place, event.at("header"));
            } else if (name == "job_ended" && event.contains("tcp_time_outs")) {
                place.tcp_time_outs = place.tcp_time_outs.value_or(0) + event.at("tcp_time_outs").get<long>();
            }
        }
    }
}

}  // namespace

void add_places(ReportData& data, const RunData& run) {
    for (const Network& network : data.cluster.networks) {
        for (const Layout& layout : data.cluster.layouts) {
            place_of(data, network.name, layout).command_line =
                to_shell(launch_command(data.cluster, network, layout, {data.cluster.benchmark, "--serve"}));
        }
    }
    add_jobs(data, run);
    for (const CaseRecord& record : run.cases) {
        Place& place = place_of(data, record.network, record.layout);
        place.samples += record.samples_seconds.size();
        place.invalid += record.invalid;
    }
}

}  // namespace tuner::report

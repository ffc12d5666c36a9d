// SPDX-License-Identifier: MIT
#include "conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "network_changes.hpp"

namespace tuner {

namespace {

std::string text_of(const Json& json) {
    return json.is_string() ? json.get<std::string>() : json.dump();
}

void add_conditions(Conditions& conditions, const std::string& prefix, const Json& object) {
    if (object.is_object()) {
        for (const auto& [key, value] : object.items()) {
            conditions[prefix + key] = text_of(value);
        }
    }
}

// "MPICH Version: 4.0.2;MPICH Device: ch3:sock": each part on its own, so that the part that differs is seen
void add_library(Conditions& conditions, const std::string& library) {
    for (std::size_t at = 0; at < library.size();) {
        const std::size_t end = std::min(library.find(';', at), library.size());
        const std::string part = library.substr(at, end - at);
        const std::size_t colon = part.find(": ");
        const bool has_name = colon != std::string::npos && library.find(';') != std::string::npos;
        conditions["library." + (has_name ? part.substr(0, colon) : "version")] =
            has_name ? part.substr(colon + 2) : part;
        at = end + 1;
    }
}

// Networks of jobs by their token
std::map<std::string, std::pair<std::string, Layout>> places_of_jobs(const RunData& data) {
    std::map<std::string, std::pair<std::string, Layout>> places;
    for (const Json& event : data.events) {
        if (event.at("event") == "job_started") {
            places[event.at("token")] = {event.at("network"), layout_from(event)};
        }
    }
    return places;
}

void add_plan(Conditions& conditions, const Json& plan) {
    if (!plan.is_object()) {
        return;
    }
    for (const auto& [key, value] : plan.items()) {
        if (key != "collectives") {
            conditions["plan." + key] = text_of(value);
            continue;
        }
        for (const Json& collective : value) {
            std::string settings;
            for (const auto& [name, setting] : collective.items()) {
                if (name != "name" && name != "operation") {
                    settings += (settings.empty() ? "" : ", ") + name + " " + text_of(setting);
                }
            }
            const std::string operation = collective.value("operation", "");
            conditions["plan." + collective.value("name", "") + (operation.empty() ? "" : " " + operation)] =
                settings;
        }
    }
}

// The events of one kind that belong to jobs on the network, with the layouts of the jobs
std::vector<std::pair<Layout, const Json*>> job_events(const RunData& data, const std::string& network,
                                                       const char* kind) {
    const auto places = places_of_jobs(data);
    std::vector<std::pair<Layout, const Json*>> events;
    for (const Json& event : data.events) {
        if (event.at("event") != kind) {
            continue;
        }
        const auto place = places.find(event.at("token").get<std::string>());
        if (place != places.end() && place->second.first == network) {
            events.emplace_back(place->second.second, &event);
        }
    }
    return events;
}

// What the first job on the network told of itself
void add_header(Conditions& conditions, const RunData& data, const std::string& network) {
    const auto events = job_events(data, network, "job_header");
    if (events.empty()) {
        return;
    }
    const Json& header = events.front().second->at("header");
    add_library(conditions, header.value("library", ""));
    for (const char* key : {"device", "cpu", "cores", "clock", "sync", "start", "interface"}) {
        if (header.contains(key)) {
            conditions[std::string("job.") + key] = text_of(header.at(key));
        }
    }
}

}  // namespace

Conditions conditions_of(const RunData& data, const std::string& network) {
    Conditions conditions;
    for (const NetworkChange& change : network_changes(data)) {  // the last one
        if (change.network == network) {
            conditions["network.measured_again"] = to_string(change);
        }
    }
    add_conditions(conditions, "machine.", data.manifest.environment);
    add_conditions(conditions, "fingerprint.", data.manifest.fingerprint);
    add_plan(conditions, data.manifest.plan);
    conditions["seed"] = std::to_string(data.manifest.seed);
    if (data.manifest.cluster.is_object()) {
        conditions["cluster"] = data.manifest.cluster.value("name", "");
        for (const Json& row : data.manifest.cluster.value("networks", Json::array())) {
            if (row.value("name", "") == network) {
                add_conditions(conditions, "network.", row);
            }
        }
        std::vector<std::string> layouts;
        const Json named = data.manifest.cluster.value("layouts", Json::array());
        for (const Json& row : named.is_array() ? named : Json::array()) {
            layouts.push_back(to_string(layout_from(CheckedJson(row, "manifest.json"))));
        }
        conditions["layouts"] =
            named.is_string() ? named.get<std::string>() : fmt::format("{}", fmt::join(layouts, ", "));
    }
    add_header(conditions, data, network);
    return conditions;
}

std::map<Layout, KernelCounters> counters_of(const RunData& data, const std::string& network) {
    std::map<Layout, KernelCounters> counters;
    for (const auto& [layout, event] : job_events(data, network, "job_ended")) {
        KernelCounters& of_layout = counters[layout];
        ++of_layout.jobs;
        if (event->contains("tcp_time_outs")) {
            ++of_layout.jobs_that_told;
            of_layout.retransmits += event->at("tcp_retransmits").get<long>();
            of_layout.time_outs += event->at("tcp_time_outs").get<long>();
        }
    }
    return counters;
}

}  // namespace tuner
